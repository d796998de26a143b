#include "profile_work.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

namespace {

constexpr auto precisions = std::to_array<std::pair<Precision, char>>(
    {{Precision::fp32, 'f'}, {Precision::fp64, 'd'}, {Precision::fp16_vector, 'h'}});

constexpr auto operations =
    std::to_array<std::pair<std::string_view, double>>({{"add", 1}, {"mul", 1}, {"fma", 2}});

constexpr auto levels = std::to_array<std::pair<Level, std::string_view>>(
    {{Level::dram, "dram__bytes.sum"}, {Level::l2, "lts__t_bytes.sum"}, {Level::l1, "l1tex__t_bytes.sum"}});

constexpr std::string_view integer_metric = "smsp__sass_thread_inst_executed_op_integer_pred_on.sum";
constexpr std::string_view time_metric = "gpu__time_duration.sum";

std::string operation_metric(char type, std::string_view operation) {
  return fmt::format("smsp__sass_thread_inst_executed_op_{}{}_pred_on.sum", type, operation);
}

std::optional<double> operations_of(const ProfiledLaunch& launch, char type, std::string_view operation) {
  if (const auto counted = amount_of(launch, operation_metric(type, operation), "inst")) return counted;
  if (operation != "fma") return std::nullopt;
  // As the profiler's roofline sections collect it: doubled, for each cycle.
  const auto doubled =
      launch.counters.find(fmt::format("derived__smsp__sass_thread_inst_executed_op_{}fma_pred_on_x2", type));
  if (doubled == launch.counters.end()) return std::nullopt;
  ProfiledLaunch single{.kernel = launch.kernel};
  single.counters["fma.per_cycle_elapsed"] = {doubled->second.value / 2, "inst/cycle"};
  for (const std::string_view name : {time_metric, std::string_view("smsp__cycles_elapsed.avg.per_second")})
    if (const auto found = launch.counters.find(name); found != launch.counters.end())
      single.counters.insert(*found);
  return amount_of(single, "fma", "inst");
}

// Newer GPUs count reads and writes under longer names, and some collections only the two.
std::optional<double> bytes_of(const ProfiledLaunch& launch, Level level, std::string_view metric) {
  if (const auto all = amount_of(launch, std::string(metric), "byte")) return all;
  if (level != Level::dram) return std::nullopt;
  if (const auto told = amount_of(launch, "bytes", "byte")) return told; // by a benchmark
  for (const std::string_view of : {"dram__bytes_", "dram__bytes_op_"}) {
    const auto read = amount_of(launch, fmt::format("{}read.sum", of), "byte"),
               written = amount_of(launch, fmt::format("{}write.sum", of), "byte");
    if (read && written) return *read + *written;
  }
  return std::nullopt;
}

} // namespace

ProfiledWork work_of(const ProfiledLaunch& launch) {
  ProfiledWork work{.time = time_of(launch)};
  std::vector<std::string> missing_operations;
  bool any = false;
  for (const auto& [precision, type] : precisions) {
    double flops = 0;
    bool all = true;
    for (const auto& [operation, weight] : operations) {
      const auto count = operations_of(launch, type, operation);
      if (!count) missing_operations.push_back(operation_metric(type, operation));
      all = all && count.has_value();
      flops += weight * count.value_or(0);
    }
    if (const auto told = amount_of(
            launch, fmt::format("flop.{}", names(precision)[static_cast<std::size_t>(precision)]), "flop"))
      flops = *told, all = true; // by a benchmark
    if (all) work.flops.emplace_back(precision, Flops(flops));
    any = any || (all && flops > 0);
  }
  // Of a kernel without operations on real numbers those on integers, where they were counted.
  if (const auto integer = any ? std::nullopt : amount_of(launch, std::string(integer_metric), "inst");
      integer && *integer > 0)
    work.flops.emplace_back(Precision::int32, Flops(*integer));
  if (!any) work.missing = std::move(missing_operations); // else the others are taken for none
  if (!work.time) work.missing.emplace(work.missing.begin(), time_metric);
  for (const auto& [level, metric] : levels) {
    if (const auto bytes = bytes_of(launch, level, metric))
      work.bytes.emplace_back(level, Bytes(*bytes));
    else
      work.missing.emplace_back(metric);
  }
  work.on_tensor_units = std::any_of(launch.counters.begin(), launch.counters.end(), [](const auto& counter) {
    return counter.second.value > 0 && (counter.first.rfind("sm__inst_executed_pipe_tensor", 0) == 0 ||
                                        counter.first.rfind("sm__ops_path_tensor", 0) == 0);
  });
  return work;
}

std::vector<RooflinePoint> points_of(const std::vector<ProfiledKernel>& kernels,
                                     const std::vector<std::string>& names) {
  std::vector<RooflinePoint> points;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const ProfiledWork work = work_of(kernels[i]);
    const auto most = std::max_element(work.flops.begin(), work.flops.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (!work.time || most == work.flops.end() || !(most->second > Flops(0))) continue;
    for (const auto& [level, bytes] : work.bytes)
      if (bytes > Bytes(0))
        points.push_back({.name = names[i],
                          .path = names[i],
                          .precision = most->first,
                          .level = level,
                          .intensity = most->second / bytes,
                          .performance = most->second / *work.time});
  }
  return points;
}

std::string missing_in_words(const std::vector<ProfiledKernel>& kernels) {
  std::vector<std::pair<std::string, std::size_t>> missing; // of how many kernels
  for (const ProfiledKernel& kernel : kernels)
    for (std::string& metric : work_of(kernel).missing) {
      const auto known =
          std::find_if(missing.begin(), missing.end(), [&](const auto& m) { return m.first == metric; });
      if (known != missing.end())
        ++known->second;
      else
        missing.emplace_back(std::move(metric), 1);
    }
  if (missing.empty()) return "";
  std::vector<std::string> told, needed{std::string(time_metric)};
  for (const auto& [metric, of] : missing)
    told.push_back(
        of == kernels.size() ? metric : fmt::format("{} (of {} of {} kernels)", metric, of, kernels.size()));
  for (const auto& [level, metric] : levels) needed.emplace_back(metric);
  for (const auto& [precision, type] : precisions)
    for (const auto& [operation, weight] : operations) needed.push_back(operation_metric(type, operation));
  return fmt::format(
      "not in the profile: {}. All that a roofline needs is collected by: ncu --csv --page raw "
      "--log-file profile.csv --metrics {} ./app",
      fmt::join(told, ", "), fmt::join(needed, ","));
}

} // namespace perfmodel
