// perfmodel hw costs GPU: what every cost is taken to be there, as it is or with facts that --set changes,
// where that comes from, and how far to trust it.
#include "hw.hpp"

#include "cli/gpu_names.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace perfmodel::cli::hw {

namespace {

std::string origin(const Gpu::Cost& cost) {
  if (cost.estimate != nullptr) return cost.estimate->from;
  const FactRecord& fact = *cost.record;
  if (fact.layer == Layer::set) return "--set";
  return fact.probe.empty() ? fmt::format("{}: {}", name_of(fact.status), fact.source)
                            : "probe " + fact.probe;
}

// What the models charge for: where one figure stands for every stream of device memory, that one.
std::string_view charged(const Gpu& gpu, const KeyInfo& key) {
  const bool stream = key.path == facts::sustained_dram_read.path ||
                      key.path == facts::sustained_dram_write.path ||
                      key.path == facts::sustained_dram_copy.path;
  const bool one_figure = gpu.record(key.path) == nullptr && gpu.has_own(facts::sustained_dram);
  return stream && one_figure ? facts::sustained_dram.path : key.path;
}

std::string are(std::size_t n, std::string_view what) {
  return fmt::format("{} {} {}", n, n == 1 ? "is" : "are", what);
}

// What its value may be: of an estimate the range, of a measured one the spread; equal where there is none.
std::pair<double, double> range_of(const Gpu::Cost& cost) {
  const bool spreads = cost.record != nullptr && std::isfinite(cost.record->low);
  return spreads ? std::pair(cost.record->low, cost.record->high) : std::pair(cost.low, cost.high);
}

std::vector<Column> data_columns() {
  const auto number = [](const char* name) { return Column{.name = name, .cells = std::vector<double>{}}; };
  return {text_column("cost", Role::key), number("value"),      number("low"),      number("high"),
          text_column("base_unit"),       text_column("grade"), text_column("from")};
}
void add_data(Table& table, const KeyInfo& key, const Gpu::Cost& cost) {
  append(table.columns[0], std::string(key.path));
  append(table.columns[1], cost.value);
  append(table.columns[2], range_of(cost).first);
  append(table.columns[3], range_of(cost).second);
  append(table.columns[4], base_symbol(key.dimension));
  append(table.columns[5], std::string(name_of(cost.grade)));
  append(table.columns[6], origin(cost));
}

} // namespace

void costs(Context& context, const Options& options) {
  options.answer.check();
  Gpu gpu = with_measurements(context, gpu_named(context, options.name), options.measured_file);
  gpu = with_set(context.database().completed(std::move(gpu)), options.set);
  Table table{.title = "costs of " + gpu.name};
  const bool data = options.answer.is_data(); // numbers in base units, which each row names
  table.columns = {text_column("cost", Role::key), text_column("value"), text_column("range"),
                   text_column("grade"), text_column("from")};
  if (data) table.columns = data_columns();
  std::array<std::size_t, 3> counted{};
  std::string missing;
  for (const KeyInfo& key : all_keys()) {
    if (!key.is_cost()) continue;
    const std::optional<Gpu::Cost> cost = gpu.cost_of(charged(gpu, key));
    if (!cost) {
      if (gpu.lacks.find(key.path) == gpu.lacks.end() && gpu.capability() >= key.since)
        missing += (missing.empty() ? "" : ", ") + std::string(key.path);
      continue;
    }
    ++counted[static_cast<std::size_t>(cost->grade)];
    if (data) {
      add_data(table, key, *cost);
      continue;
    }
    const auto text = [&](double value) { return value_text(key, {.values = {value}}); };
    append(table.columns[0], std::string(key.path));
    append(table.columns[1], text(cost->value));
    const auto [low, high] = range_of(*cost);
    append(table.columns[2], low < high ? text(low) + " to " + text(high) : std::string());
    append(table.columns[3], std::string(name_of(cost->grade)));
    append(table.columns[4], origin(*cost));
  }
  Result result{.kind = Kind::predicted, .title = "What the models charge for on " + gpu.title, .chart = {}};
  result.verdict = {fmt::format("Of {} costs {} on {}, {} and {}.", counted[0] + counted[1] + counted[2],
                                are(counted[0], "known"), gpu.name, are(counted[1], "inherited"),
                                are(counted[2], "assumed"))};
  if (table.rows() == 0)
    result.verdict = {
        fmt::format("No cost of {} is known, and none can be estimated: it is near to no GPU here, so "
                    "every model that needs one refuses. --set gives them.",
                    gpu.name)};
  if (!missing.empty())
    result.notes.push_back("No estimate, so that models which need them say so: " + missing + ".");
  result.notes.emplace_back("known: a source, or our own probe with its 5th and 95th percentile (of "
                            "energies the 95 % confidence interval); inherited: from a GPU of the same chip, "
                            "architecture or kind of memory, "
                            "scaled; assumed: a range and its reason, in hwdb/facts. A measured value "
                            "replaces an estimate: --set, a file, "
                            "or perfmodel measure.");
  result.tables.push_back(std::move(table));
  give(context, options.answer, std::move(result));
}

} // namespace perfmodel::cli::hw
