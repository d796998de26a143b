#include "benchmark_file.hpp"

#include "benchmark_run.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

namespace perfmodel::hwdb {

namespace {

using Reader = Benchmarks (*)(std::string_view);

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string_view without_mark(std::string_view text) {
  return text.substr(0, 3) == "\xEF\xBB\xBF" ? text.substr(3) : text; // a byte-order mark
}

std::string lower(std::string_view text) {
  std::string all;
  for (const char c : text) all += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return all;
}

Reader reader_of_json(std::string_view text) {
  if (!holds(text, "\"benchmarks\"")) return nullptr;
  if (holds(text, "\"states\"")) return nvbench_json;
  return holds(text, "\"real_time\"") || holds(text, "\"context\"") ? google_json : nullptr;
}

Reader reader_of(std::string_view text) {
  text = without_mark(text);
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return nullptr;
  if (text[first] == '{') return reader_of_json(text);
  while (!text.empty()) { // programs may print before their table
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.rfind("Benchmark,Device,Device Name", 0) == 0) return nvbench_csv;
    if (holds(line, "real_time,cpu_time,time_unit")) return google_csv;
    if (line.rfind("function,num_times,n_elements,sizeof,", 0) == 0) return babelstream;
    if (line.rfind("Function", 0) == 0 && holds(line, "Bytes/sec")) return babelstream;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return nullptr;
}

} // namespace

void add_run(const BenchmarkRun& run, Benchmarks& all) {
  constexpr double longest = 1e9; // s
  if (!run.time || !(*run.time > 0) || *run.time > longest) {
    all.notes.push_back(
        fmt::format("{} has no time that a program can take, and is left out.", perfmodel::quoted(run.name)));
    return;
  }
  ProfiledLaunch launch{.kernel = run.name, .capability = run.capability};
  launch.counters["time"] = {*run.time, "second"};
  const auto countable = [](std::optional<double> value) { return value && *value >= 0 && *value < 1e300; };
  if (countable(run.bytes)) launch.counters["bytes"] = {*run.bytes, "byte"};
  if (countable(run.flops)) launch.counters[run.is_double ? "flop.fp64" : "flop.fp32"] = {*run.flops, "flop"};
  all.runs.push_back(std::move(launch));
}

double number_in(std::string_view cell, std::string_view what) {
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
    throw InputError(
        fmt::format("{}: {} is no number", what, perfmodel::quoted(std::string(cell.substr(0, 60)))));
  return value;
}

double benchmark_seconds(std::string_view unit) {
  for (const auto& [known, factor] : {std::pair{"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0}})
    if (unit == known) return factor;
  throw InputError(fmt::format("time_unit {}: ns, us, ms or s is expected",
                               perfmodel::quoted(std::string(unit.substr(0, 20)))));
}

std::optional<double> flop_rate(std::string_view name) {
  std::string word = lower(name);
  double factor = 1;
  for (const auto& [prefix, times] : {std::pair{'g', 1e9}, {'t', 1e12}, {'m', 1e6}})
    if (word.rfind(std::string(1, prefix) + "flop", 0) == 0) factor = times, word.erase(0, 1);
  for (const char* known : {"flops", "flop/s", "flops/s", "flop_per_second", "flops_per_second"})
    if (word == known) return factor;
  return std::nullopt;
}

bool speaks_of_double(std::string_view name) {
  const std::string word = lower(name);
  return holds(word, "double") || holds(word, "fp64") || holds(word, "f64");
}

bool is_benchmarks(std::string_view text) { return reader_of(text) != nullptr; }

Benchmarks parse_benchmarks(std::string_view text, const std::string& file) {
  const Reader read = reader_of(text);
  if (read == nullptr) throw InputError(file + " is no result of nvbench, Google Benchmark or BabelStream");
  try {
    Benchmarks all = read(without_mark(text));
    if (all.runs.empty())
      throw InputError(fmt::format("no benchmark of {} with a time{}", all.tool,
                                   all.notes.empty() ? "" : ": " + all.notes.front()));
    return all;
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", file, e.what()));
  }
}

} // namespace perfmodel::hwdb
