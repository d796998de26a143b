// Predicted and measured side by side: signed error = (predicted - measured) / measured.
#pragma once

#include "models/core/gpu.hpp"
#include "models/core/result.hpp"
#include "models/validation/series.hpp"

#include <span>
#include <string_view>

namespace perfmodel {

// One table per series (its keys, predicted, measured, low, high, error, tolerance, verdict), then the ledger
// (one line per model and quantity: rows scored, mean and worst error), then the series that are inputs or
// that no model covers. The prediction uses `gpu` as it is; the facts that a source assumed are set for its
// series. Rows whose prediction needed a constant that the same probe found are marked circular, measured
// rows for which the model gives no value left out; neither are scored, and the latter are counted with the
// series that are not. Throws InputError when a series names inputs that its model does not have, and when
// `gpu` lacks the facts that its model needs; a series on any GPU is then set aside.
inline constexpr std::string_view not_scored_title = "not scored";
Result validate(const Gpu& gpu, std::span<const Series> series);

// Rows of all series that were out of tolerance, and how many were scored.
struct Score {
  std::size_t scored = 0, out = 0;
};
Score score_of(const Result& validation);

} // namespace perfmodel
