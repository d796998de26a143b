// What a model misses even where every cost is known: the errors of other models' times on the same GPU. It
// stands beside a band of costs (core/bands.hpp), which says what the costs leave open.
#pragma once

#include "ledger.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace perfmodel {

// 90 % of the errors of times and rates lie between, (predicted - measured) / measured; every model and
// quantity counts as much as every other, whatever its number of rows.
struct ModelError {
  double low = 0, high = 0;
  std::size_t rows = 0;
  // What a measured time lies between, as shares of the predicted one.
  double least() const { return 1 / (1 + high); }
  double most() const { return 1 / (1 + low); }
};

// Of all models but `model`, "": of all. nullopt: fewer than 20 rows of two models.
std::optional<ModelError> model_error(const Ledger& ledger, const std::string& model);

inline constexpr std::string_view model_error_title = "model error";
// For each model with times or rates how many of its rows lie within what the others' errors say. No rows:
// too few others.
Table model_error_table(const Ledger& ledger);

} // namespace perfmodel
