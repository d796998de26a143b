// validate --bands: how many measured rows lie inside the bands of their predictions.
#pragma once

#include "cli/context.hpp"
#include "cli/progress.hpp"
#include "models/validation/band_score.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace perfmodel::cli {

// Of each line of a ledger of `gpu` or, where a source does not name its card, of `cards`; on all cores.
// Takes 33 answers a row. What the models miss beside is that of errors that the database keeps.
Table scored_bands(Context& context, const Gpu& gpu, std::span<const Gpu> cards, const Ledger& ledger,
                   Progress& progress);

// The table that the database keeps by that name, of all models or of those asked about; else, and of no
// name, a computed one. With its notes.
Table kept_or_scored(Context& context, const std::string& name, const std::vector<std::string>& models,
                     const std::function<Table()>& compute);

} // namespace perfmodel::cli
