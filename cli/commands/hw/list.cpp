#include "hw.hpp"

#include "models/bounds/peak.hpp"
#include "models/core/facts.hpp"

#include <fmt/format.h>

#include <string_view>

namespace perfmodel::cli::hw {

namespace {

std::vector<Gpu> listed(Context& context, const Options& options) {
  if (!options.name.empty()) return devices(context, {.hw = options.name});
  std::vector<Gpu> all;
  for (const std::string& name : context.database().names()) all.push_back(context.database().gpu(name));
  return all;
}

} // namespace

void list(Context& context, const Options& options) {
  options.answer.check();
  Table table{.title = "GPUs"};
  const Unit rate = unit_of<FlopsPerSecond>(), bandwidth = unit_of<BytesPerSecond>();
  table.columns = {text_column("name", Role::key),
                   text_column("cc"),
                   number_column("year", {}),
                   number_column("fp32", rate),
                   number_column("fp64", rate),
                   number_column("DRAM", bandwidth),
                   text_column("title")};
  const bool data = options.answer.is_data(); // people are shown a GPU in one line
  if (data) table.columns.push_back(text_column("aliases"));
  constexpr std::string_view maker = "NVIDIA "; // of nearly all, and no part of what tells them apart
  for (const Gpu& gpu : listed(context, options)) {
    Plain plain;
    const auto rate_of = [&](Precision p) {
      for (const ArithmeticUnit& unit : arithmetic_units())
        if (unit.precision == p &&
            (gpu.record(unit.peak.path) != nullptr || gpu.record(unit.throughput.path) != nullptr))
          return base_value(peak(gpu, unit, plain));
      return absent;
    };
    const auto pin = gpu.find(facts::dram_bandwidth);
    const std::string aliases = fmt::format("{}", fmt::join(gpu.aliases, " "));
    append(table.columns[0], data || aliases.empty() ? gpu.name : gpu.name + ", " + aliases);
    const auto year = gpu.find(facts::year);
    append(table.columns[1], gpu.architecture);
    append(table.columns[2], year ? year->value : absent);
    append(table.columns[3], rate_of(Precision::fp32));
    append(table.columns[4], rate_of(Precision::fp64));
    append(table.columns[5], pin ? base_value(pin->value) : absent);
    append(table.columns[6], gpu.title.substr(!data && gpu.title.starts_with(maker) ? maker.size() : 0));
    if (data) append(table.columns[7], aliases);
  }
  give(context, options.answer, {.tables = {std::move(table)}});
}

} // namespace perfmodel::cli::hw
