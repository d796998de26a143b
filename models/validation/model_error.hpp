// What a model misses even where every cost is known: the errors of other models' times on the same GPU. It
// stands beside a band of costs (core/bands.hpp), which says what the costs leave open.
#pragma once

#include "ledger.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

// 90 % of the errors of times and rates lie between, (predicted - measured) / measured; every model and
// quantity counts as much as every other, whatever its number of rows.
struct ModelError {
  double low = 0, high = 0;
  std::size_t rows = 0, models = 0;
  std::vector<std::string> gpus; // on which; empty: of a ledger, which is of one
  // What a measured time lies between, as shares of the predicted one.
  double least() const { return 1 / (1 + high); }
  double most() const { return 1 / (1 + low); }
};

// Signed errors of the rows of times and rates that are scored, of all classes of evidence but calibration.
using TimedErrors = std::map<Ledger::OfModel, std::vector<double>>;
TimedErrors timed_errors(const Ledger& ledger);

struct GpuErrors {
  std::string gpu;
  TimedErrors errors;
};

// Of all models but `model`, "": of all. nullopt: fewer than 20 rows of two models.
std::optional<ModelError> model_error(const Ledger& ledger, const std::string& model);
// The same for an answer of `model` on `gpu`: from the rows of that GPU where there are enough, else from
// those of all GPUs together, each model and quantity of each GPU counting as much as every other.
std::optional<ModelError> model_error_on(const std::string& gpu, const std::string& model,
                                         std::span<const GpuErrors> all);

// Whether numbers of that unit are times, rates or shares of such, whose errors a model error is of.
bool is_timed(const Unit& unit);

inline constexpr std::string_view model_error_title = "model error";
// For each model with times or rates how many of its rows lie within what the others' errors say. No rows:
// too few others.
Table model_error_table(const Ledger& ledger);

} // namespace perfmodel
