#include "ranked_gpus.hpp"

#include "common_launches.hpp"
#include "in_parallel.hpp"

#include "models/bounds/kernel_energy.hpp"
#include "models/bounds/roofline.hpp"
#include "models/core/band_words.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"
#include "models/views/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace perfmodel::cli {

namespace {

double cell(const Table& table, std::string_view column, std::size_t row) {
  const Column* found = table.find(column);
  return found == nullptr ? absent : found->number(row);
}

const Axis* axis_of(const Request& request, std::string_view name) {
  for (const Axis& axis : request.inputs)
    if (axis.name == name) return &axis;
  return nullptr;
}

// Bytes of all arrays; 0 where launches were captured.
double bytes_of_arrays(const Request& request) {
  double bytes = 0;
  if (const Axis* arg = axis_of(request, "arg"))
    for (const Allocation& one : KernelArguments::from_text(arg->values.front().text).allocations)
      bytes += static_cast<double>(one.bytes);
  return bytes;
}

// How often each launch of a file was made; nothing of one that was typed.
std::map<std::int64_t, double> counts_of(const Request& request) {
  std::map<std::int64_t, double> counts;
  if (const Axis* launches = axis_of(request, "launches"))
    for (const CapturedLaunch& launch : CapturedLaunches::from_text(launches->values.front().text).launches)
      counts[static_cast<std::int64_t>(counts.size()) + 1] = static_cast<double>(launch.count);
  return counts;
}

std::int64_t launch_of(const Table& table, std::size_t row) {
  const double number = cell(table, "launch", row);
  return std::isnan(number) ? 1 : std::llround(number);
}

LaunchTimes times_of(const Result& result) {
  LaunchTimes times;
  for (const Table& table : result.tables) {
    if (table.title != KernelModel::Summary::title) continue;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      times[launch_of(table, row)] = {.time = cell(table, "time", row),
                                      .low = cell(table, "time_low", row),
                                      .high = cell(table, "time_high", row),
                                      .bound = table.at("bound").text(row)};
    }
  }
  return times;
}

// Of launches whose operations are counted, from what they do and how long that takes.
void add_energies(const Gpu& gpu, const Result& result, LaunchTimes& times, RankedGpu& ranked) {
  std::map<std::int64_t, TimedWork> works;
  for (const Table& table : result.tables) {
    if (table.title != KernelRoof::title) continue;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const std::string precision = table.at("precision").text(row), level = table.at("level").text(row);
      if (precision != "fp32" && precision != "fp64") continue;
      TimedWork& work = works[launch_of(table, row)];
      work.precision = precision == "fp32" ? EnergyPrecision::fp32 : EnergyPrecision::fp64;
      work.flops = Flops(cell(table, "flops", row));
      if (level == "dram") work.from_memory = Bytes(cell(table, "bytes", row));
      if (level == "l2") work.from_l2 = Bytes(cell(table, "bytes", row));
    }
  }
  for (auto& [launch, work] : works) {
    LaunchTime& launched = times[launch];
    work.time = Seconds(launched.time);
    auto found = kernel_energy(gpu, work);
    if (!found) continue;
    launched.energy = found->energy.value;
    ranked.above_limit = ranked.above_limit || found->above_limit;
    for (Step& price : found->constants)
      if (std::none_of(ranked.constants.begin(), ranked.constants.end(),
                       [&](const Step& constant) { return constant.symbol == price.symbol; }))
        ranked.constants.push_back(std::move(price));
  }
}

// The worst of the times themselves: the other numbers of the answer rest on other costs.
Grade grade_of_times(const Result& result) {
  Grade worst = Grade::known;
  for (const Table& table : result.tables) {
    if (table.title != KernelModel::Summary::title) continue;
    const Column& grades = table.at("grade");
    for (std::size_t row = 0; row < table.rows(); ++row)
      for (const Grade grade : {Grade::inherited, Grade::assumed})
        if (grades.text(row) == name_of(grade)) worst = worse(worst, grade);
  }
  return worst;
}

void add_answer(Result result, RankedGpu& ranked) {
  const auto known = std::count_if(result.constants.begin(), result.constants.end(),
                                   [](const Step& constant) { return constant.grade == Grade::known; });
  const auto all = static_cast<std::ptrdiff_t>(result.constants.size());
  if (known < all) ranked.not_known = fmt::format("{} of {}", all - known, all);
  ranked.grade = grade_of_times(result);
  ranked.why_aside = why_band_is_aside(result);
  ranked.constants = std::move(result.constants);
}

RankedGpu asked_of_kernel(const Gpu& gpu, const Request& request, LaunchTimes& times) {
  RankedGpu ranked{.gpu = gpu.name, .title = gpu.title};
  const double bytes = bytes_of_arrays(request);
  const FactRecord* memory = gpu.record("dram.size");
  if (memory != nullptr && bytes > memory->values.front()) {
    ranked.why_not = fmt::format("its memory of {} does not hold the arrays, {}",
                                 format_quantity(memory->values.front(), unit_of<Bytes>()),
                                 format_quantity(bytes, unit_of<Bytes>()));
    return ranked;
  }
  try {
    Result result = predict(model("kernel"), std::span(&gpu, 1), request);
    times = times_of(result);
    const Result work{.tables = result.tables};
    add_answer(std::move(result), ranked);
    add_energies(gpu, work, times, ranked);
    if (times.empty()) ranked.why_not = "none of its launches is understood";
  } catch (const InputError& e) {
    ranked.why_not = e.what();
  }
  return ranked;
}

// Nothing of an energy that would rest on another GPU's prices.
void add_energy(const Gpu& gpu, const Request& asked, RankedGpu& ranked) {
  const std::string& name = axis_of(asked, "precision")->values.front().text;
  constexpr auto priced = names(EnergyPrecision{});
  const auto precision = std::find(priced.begin(), priced.end(), name);
  if (precision == priced.end()) return;
  auto found = kernel_energy(gpu, {.precision = static_cast<EnergyPrecision>(precision - priced.begin()),
                                   .flops = Flops(axis_of(asked, "flops")->values.front().number),
                                   .from_memory = Bytes(axis_of(asked, "bytes")->values.front().number),
                                   .from_l2 = {},
                                   .time = Seconds(ranked.time)});
  if (!found) return;
  ranked.energy = found->energy.value;
  ranked.above_limit = found->above_limit;
  ranked.constants = std::move(found->constants);
}

RankedGpu asked_of_work(const Gpu& gpu, const Request& request) {
  RankedGpu ranked{.gpu = gpu.name, .title = gpu.title};
  try {
    Result result = predict(model("roofline"), std::span(&gpu, 1), request);
    for (const Table& table : result.tables)
      if (table.title == Roofline::Kernel::title && table.rows() > 0) {
        ranked.time = cell(table, "least_time", 0);
        ranked.bound = table.at("bound").text(0);
      }
    ranked.grade = result.grade; // two roofs: what moves one of them shows
    if (std::isnan(ranked.time)) {
      ranked.why_not = "it has no peak rate of that precision";
      return ranked;
    }
    add_energy(gpu, request, ranked);
  } catch (const InputError& e) {
    ranked.why_not = e.what();
  }
  return ranked;
}

} // namespace

std::vector<RankedGpu> ranked_by_kernel(std::span<const Gpu> gpus, const Request& request, Progress& progress,
                                        std::vector<std::string>& notes) {
  std::vector<RankedGpu> ranked(gpus.size());
  std::vector<LaunchTimes> times(gpus.size());
  std::size_t finished = 0;
  progress.say(fmt::format("0/{} GPUs", gpus.size()));
  in_parallel(
      gpus.size(), [&](std::size_t i) { ranked[i] = asked_of_kernel(gpus[i], request, times[i]); },
      [&](std::size_t i) {
        progress.say(fmt::format("{}/{} GPUs, the last {}", ++finished, gpus.size(), gpus[i].name));
      });
  if (std::string note = add_up_common(times, counts_of(request), ranked); !note.empty())
    notes.push_back(std::move(note));
  return ranked;
}

std::vector<RankedGpu> ranked_by_work(std::span<const Gpu> gpus, const Request& request) {
  std::vector<RankedGpu> ranked;
  for (const Gpu& gpu : gpus) ranked.push_back(asked_of_work(gpu, request));
  return ranked;
}

} // namespace perfmodel::cli
