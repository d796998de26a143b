#include "model_error.hpp"

#include "models/core/model.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

namespace perfmodel {

namespace {

constexpr double left_out = 0.05; // at each end
constexpr std::size_t least_rows = 20;
constexpr std::size_t least_models = 2;

// The value below which a share of the weight lies; `weighted` is in order.
double weighted_quantile(const std::vector<std::pair<double, double>>& weighted, double share) {
  double all = 0, below = 0;
  for (const auto& [value, weight] : weighted) all += weight;
  for (const auto& [value, weight] : weighted)
    if ((below += weight) >= share * all) return value;
  return weighted.back().first;
}

// Of communication, as it declares; what is no model is of none.
bool is_communication(const std::string& model) {
  const auto all = models();
  return std::any_of(all.begin(), all.end(),
                     [&](const Model& m) { return m.info.name == model && m.info.communication; });
}

// Errors and what each counts, of all models of its sort but one.
struct OfOthers {
  std::string model;
  bool communication = is_communication(model);
  std::vector<std::pair<double, double>> weighted;
  std::set<std::string> models;
  std::vector<std::string> gpus;

  void add(const GpuErrors& on) {
    for (const auto& [of, all] : on.errors) {
      if (of.first == model || all.empty() || is_communication(of.first) != communication) continue;
      if (gpus.empty() || gpus.back() != on.gpu) gpus.push_back(on.gpu);
      models.insert(of.first);
      for (const double error : all) weighted.emplace_back(error, 1 / static_cast<double>(all.size()));
    }
  }

  std::optional<ModelError> error() {
    if (weighted.size() < least_rows || models.size() < least_models) return std::nullopt;
    std::sort(weighted.begin(), weighted.end());
    return ModelError{.low = weighted_quantile(weighted, left_out),
                      .high = weighted_quantile(weighted, 1 - left_out),
                      .rows = weighted.size(),
                      .models = models.size(),
                      .communication = communication,
                      .gpus = gpus};
  }
};

// Of times and rates, of all rows or of those whose costs are known.
TimedErrors errors_where(const Ledger& ledger, bool also_on_estimates) {
  TimedErrors errors;
  for (const auto& [evidence, lines] : ledger.lines)
    for (const auto& [of, line] : lines) {
      if (evidence == Evidence::calibration || !line.timed) continue;
      for (std::size_t row = 0; row < line.errors.size(); ++row)
        if (also_on_estimates || !line.on_estimates[row]) errors[of].push_back(line.errors[row]);
    }
  return errors;
}

} // namespace

bool is_timed(const Unit& unit) {
  constexpr std::size_t first = 2; // bytes and operations come before them
  const auto& exponents = unit.dimension.exponents;
  return unit.symbol == "fraction" || std::any_of(exponents.begin() + first, exponents.end(),
                                                  [](signed char exponent) { return exponent != 0; });
}

TimedErrors timed_errors(const Ledger& ledger) { return errors_where(ledger, false); }

std::optional<ModelError> model_error_on(const std::string& gpu, const std::string& model,
                                         std::span<const GpuErrors> all) {
  OfOthers own{.model = model}, together{.model = model};
  for (const GpuErrors& one : all) {
    if (one.gpu == gpu) own.add(one);
    together.add(one);
  }
  const std::optional<ModelError> there = own.error();
  return there ? there : together.error();
}

Table model_error_table(const Ledger& ledger, const std::string& gpu, std::span<const GpuErrors> elsewhere) {
  Table table{.title = std::string(model_error_title)};
  const auto column = [&](const char* name, const char* unit, Role role, auto cells) {
    table.columns.push_back({.name = name, .unit = {unit, {}}, .role = role, .cells = std::move(cells)});
  };
  column("model", "", Role::key, std::vector<std::string>{});
  column("quantity", "", Role::key, std::vector<std::string>{});
  column("scored", "", Role::note, std::vector<std::int64_t>{});
  for (const char* name : {"others_low", "others_high", "inside"})
    column(name, "fraction", Role::note, std::vector<double>{});
  std::vector<GpuErrors> all{{gpu, timed_errors(ledger)}};
  std::copy_if(elsewhere.begin(), elsewhere.end(), std::back_inserter(all),
               [&](const GpuErrors& one) { return one.gpu != gpu; });
  for (const auto& [of, errors] : errors_where(ledger, true)) {
    const std::optional<ModelError> others = model_error_on(gpu, of.first, all);
    if (!others) continue;
    const auto inside = std::count_if(errors.begin(), errors.end(), [&](double error) {
      return error >= others->low && error <= others->high;
    });
    append(table.columns[0], of.first);
    append(table.columns[1], of.second);
    append(table.columns[2], errors.size());
    append(table.columns[3], others->low);
    append(table.columns[4], others->high);
    append(table.columns[5], static_cast<double>(inside) / static_cast<double>(errors.size()));
  }
  table.notes.push_back(
      "others: 90 % of the errors of other models' times and rates on this GPU lie between, of "
      "rows whose costs are known, every model and quantity counting as much as every other; of "
      "communication for communication, else of kernels; of all GPUs where fewer than 20 rows "
      "of two such models are measured here. inside: this one's rows within that. It is what a "
      "prediction misses beside its band of costs.");
  return table;
}

} // namespace perfmodel
