// Results of nvbench and Google Benchmark as JSON.
#include "benchmark_run.hpp"
#include "json_tree.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfmodel::hwdb {

namespace {

Json parsed(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::exception&) {
    throw InputError("no JSON: the file is torn, or something else was written into it");
  }
}

// What a wrong type throws, as a sentence.
template <class Read> Benchmarks read_as(const char* tool, std::string_view text, Read read) {
  Benchmarks all{.tool = tool};
  const Json root = parsed(text);
  try {
    read(root, all);
  } catch (const Json::exception&) {
    throw InputError(fmt::format("a member is missing that {} writes, or is of another kind", tool));
  }
  return all;
}

// nvbench writes numbers as text as well.
double number_of_nvbench(const Json& value, std::string_view what) {
  if (value.is_string()) return number_in(value.get_ref<const std::string&>(), what);
  return value.get<double>();
}

const Json* member_named(const Json& list, std::string_view name) {
  for (const Json& one : list)
    if (one.at("name") == name) return &one.at("value");
  return nullptr;
}

void add_summary(const std::string& tag, const std::string& name, const Json& data, BenchmarkRun& run,
                 std::optional<double>& rate, std::optional<double>& flops, std::optional<double>& batch) {
  const Json* value = member_named(data, "value");
  if (value == nullptr) return;
  if (tag == "nv/cold/time/gpu/mean" || tag == "Average GPU Time (Cold)")
    run.time = number_of_nvbench(*value, tag);
  if (tag == "nv/batch/time/gpu/mean" || tag == "Average GPU Time (Batch)")
    batch = number_of_nvbench(*value, tag);
  if (tag == "nv/cold/bw/global/bytes_per_second" || name == "GlobalMem BW")
    rate = number_of_nvbench(*value, tag);
  if (const auto factor = flop_rate(name)) flops = *factor * number_of_nvbench(*value, tag);
}

// Summaries are a list of those with a tag, or, as older versions wrote them, by their names.
BenchmarkRun nvbench_state(const Json& state) {
  BenchmarkRun run;
  std::optional<double> rate, flops, batch;
  const Json& summaries = state.at("summaries");
  for (const auto& [key, summary] : summaries.items()) {
    if (summary.contains("tag"))
      add_summary(summary.at("tag"), summary.value("name", ""), summary.at("data"), run, rate, flops, batch);
    else
      add_summary(key, "", summary.at("values"), run, rate, flops, batch);
  }
  if (run.time && rate) run.bytes = *rate * *run.time;
  if (run.time && flops) run.flops = *flops * *run.time;
  if (!run.time) run.time = batch;
  return run;
}

std::string capability_of(const Json& devices, const Json& id) {
  for (const Json& device : devices)
    if (device.at("id") == id) {
      const int version = device.at("sm_version");
      return fmt::format("{}.{}", version / 100, version % 100 / 10);
    }
  return "";
}

bool is_aggregate(const Json& one) { return one.value("run_type", "iteration") == "aggregate"; }

// Rates are over the time that the benchmark was told to go by: the processor's, unless its name says else.
BenchmarkRun google_run(const Json& one) {
  BenchmarkRun run{.name = one.value("run_name", one.at("name").get<std::string>())};
  const double unit = benchmark_seconds(one.value("time_unit", "ns"));
  run.time = unit * one.at("real_time").get<double>();
  const bool by_real =
      run.name.find("/real_time") != std::string::npos || run.name.find("/manual_time") != std::string::npos;
  const double over = by_real ? *run.time : unit * one.at("cpu_time").get<double>();
  if (one.contains("bytes_per_second")) run.bytes = one.at("bytes_per_second").get<double>() * over;
  for (const auto& [name, value] : one.items())
    if (const auto factor = flop_rate(name); factor && value.is_number())
      run.flops = *factor * value.get<double>() * over;
  run.is_double = speaks_of_double(run.name);
  return run;
}

} // namespace

Benchmarks nvbench_json(std::string_view text) {
  return read_as("nvbench", text, [](const Json& root, Benchmarks& all) {
    for (const Json& bench : root.at("benchmarks"))
      for (const Json& state : bench.at("states")) {
        const std::string name = bench.at("name"), values = state.value("description", "");
        const std::string full = values.empty() ? name : fmt::format("{} [{}]", name, values);
        if (state.value("is_skipped", false)) {
          all.notes.push_back(fmt::format("{} was skipped.", perfmodel::quoted(full)));
          continue;
        }
        BenchmarkRun run = nvbench_state(state);
        run.name = full, run.is_double = speaks_of_double(full);
        if (root.contains("devices") && state.contains("device"))
          run.capability = capability_of(root.at("devices"), state.at("device"));
        add_run(run, all);
      }
  });
}

Benchmarks google_json(std::string_view text) {
  return read_as("Google Benchmark", text, [](const Json& root, Benchmarks& all) {
    const Json& runs = root.at("benchmarks");
    std::set<std::string> repeated; // whose single runs are there
    for (const Json& one : runs)
      if (!is_aggregate(one)) repeated.insert(one.value("run_name", one.at("name").get<std::string>()));
    for (const Json& one : runs) {
      const std::string name = one.value("run_name", one.at("name").get<std::string>());
      const bool stands_for_runs =
          is_aggregate(one) && one.value("aggregate_name", "") == "median" && repeated.count(name) == 0;
      if (is_aggregate(one) && !stands_for_runs) continue;
      if (one.value("error_occurred", false))
        all.notes.push_back(fmt::format("{} ended with an error.", perfmodel::quoted(name)));
      else
        add_run(google_run(one), all);
    }
  });
}

} // namespace perfmodel::hwdb
