// What a model misses even where every cost is known: the errors of other models' times on the same GPU. It
// stands beside a band of costs (core/bands.hpp), which says what the costs leave open.
//
// Which errors of others say something of a model's own?
// - Those of rows whose costs are known: what an estimate misses is in the band of costs already, and would
//   count twice.
// - Of communication for communication, of kernels for kernels. A copy to a GPU and a message between
//   processes wait for software, links and other processors, which differ from run to run. Kernels wait for
//   units of one GPU. Neither knows what the other misses.
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
  bool communication = false;    // of models of communication; else of kernels
  std::vector<std::string> gpus; // on which; empty: of a ledger, which is of one
  // What a measured time lies between, as shares of the predicted one.
  double least() const { return 1 / (1 + high); }
  double most() const { return 1 / (1 + low); }
};

// Signed errors of the rows of times and rates that are scored and whose costs are known, of all classes of
// evidence but calibration.
TimedErrors timed_errors(const Ledger& ledger);

// For an answer of `model` on `gpu`, of the other models of its sort, communication or kernels: from the rows
// of that GPU where there are 20 of two models, else from those of all GPUs together, each model and quantity
// of each GPU counting as much as every other. nullopt: there are fewer on all of them.
std::optional<ModelError> model_error_on(const std::string& gpu, const std::string& model,
                                         std::span<const GpuErrors> all);

// Whether numbers of that unit are times, rates or shares of such, whose errors a model error is of.
bool is_timed(const Unit& unit);

inline constexpr std::string_view model_error_title = "model error";
// For each model with times or rates in the ledger of `gpu` how many of its rows, whatever they rest on, lie
// within what the others' errors say. `elsewhere`: errors on GPUs, of which those on `gpu` are left to the
// ledger. No rows: too few others.
Table model_error_table(const Ledger& ledger, const std::string& gpu,
                        std::span<const GpuErrors> elsewhere = {});

} // namespace perfmodel
