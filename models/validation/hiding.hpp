// What each probe is worth: how much worse a GPU's ledger gets when what one of them found is inherited from
// other GPUs, or assumed.
#pragma once

#include "models/core/gpu.hpp"
#include "models/core/result.hpp"
#include "models/validation/evidence.hpp"
#include "models/validation/series.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace perfmodel {

// The probes that found one of the facts that this GPU has.
std::vector<std::string> probes_that_found(const Gpu& gpu);

// One table, a row for each probe and each family (model and quantity) of those that read one of its facts:
// the mean error of its scored rows with the probe and without it, the points by which it rises, how many
// rows are no longer scored, of how many the grade says that they rest on an estimate, and how many are
// silent: off by ten points more than before, with the grade `known`. `without(probe)` is the GPU without
// what the probe found, and with estimates of that. Throws what validate throws.
Result worth_of_probes(const Gpu& gpu, std::span<const std::string> probes,
                       const std::function<Gpu(const std::string& probe)>& without,
                       std::span<const Series> series, const EvidenceRecord& record = {},
                       std::span<const Gpu> cards = {});

// Rows of all families that are silent.
std::size_t silent_rows(const Result& worth);

} // namespace perfmodel
