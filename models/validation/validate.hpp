// Predicted and measured side by side: signed error = (predicted - measured) / measured.
#pragma once

#include "models/core/gpu.hpp"
#include "models/core/result.hpp"
#include "models/validation/evidence.hpp"
#include "models/validation/ledger.hpp"
#include "models/validation/prediction_store.hpp"
#include "models/validation/series.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace perfmodel {

// One table per series (its keys, predicted, measured, error, tolerance, verdict, evidence), then how each
// class of evidence fared, the ledger of each (one line per model and quantity: rows scored, mean and
// worst error), then the series that are inputs or that no model covers. The prediction uses `gpu` as it is;
// the facts that a source assumed are set for its series. Of a label with several readings the worst is
// scored, and of a series whose card is not named the worst prediction of `cards`, in which all that such a
// series names are. Rows of the class calibration, slips of the source, and measured rows for which the model
// gives no value are not scored; the last two are counted with the series that are not. Throws InputError
// when a series names inputs that its model does not have or a card that is not there, and when `gpu` lacks
// the facts that its model needs; a series on any GPU is then set aside. Predictions that `store` has are
// taken from there, and those that it lacks are added to it. `elsewhere`: the errors on other GPUs, for the
// model error where this one has too few rows.
inline constexpr std::string_view not_scored_title = "not scored", evidence_title = "classes of evidence";
inline constexpr std::string_view ledger_title = "ledger: "; // and the class
Result validate(const Gpu& gpu, std::span<const Series> series, const EvidenceRecord& record = {},
                std::span<const Gpu> cards = {}, PredictionStore* store = nullptr,
                std::span<const GpuErrors> elsewhere = {});
// The ledger alone: without the rows.
Result summary_of(const Gpu& gpu, std::span<const Series> series, const EvidenceRecord& record,
                  std::span<const Gpu> cards, PredictionStore* store = nullptr,
                  std::span<const GpuErrors> elsewhere = {});
// The same, where only the errors are asked for. The series outlive the ledger.
Ledger ledger_of(const Gpu& gpu, std::span<const Series> series, const EvidenceRecord& record,
                 std::span<const Gpu> cards, PredictionStore* store = nullptr);

// Rows of all series that were out of tolerance, and how many were scored; the same for each class that has
// such rows, and how many were of calibration.
struct Score {
  std::size_t scored = 0, out = 0;
};
struct Scores : Score {
  std::map<Evidence, Score> by_class;
  std::size_t calibration = 0;
};
Scores score_of(const Result& validation);

} // namespace perfmodel
