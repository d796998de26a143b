// What BabelStream prints: its table, or with --csv. Its rates are of the fastest run, except with
// --triad-only. Bytes are those of the arrays that a kernel reads and writes, as it counts them itself.
#include "benchmark_run.hpp"

#include "models/bounds/csv_record.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

namespace perfmodel::hwdb {

namespace {

// Of each element: arrays read or written, and operations. Nstream: a += b + scalar c.
struct StreamKernel {
  std::string_view name;
  double arrays, flops;
};
constexpr auto stream_kernels = std::to_array<StreamKernel>(
    {{"Copy", 2, 0}, {"Mul", 2, 1}, {"Add", 3, 1}, {"Triad", 3, 2}, {"Dot", 2, 2}, {"Nstream", 4, 3}});

const StreamKernel* kernel_named(std::string_view name) {
  const auto at = std::find_if(stream_kernels.begin(), stream_kernels.end(),
                               [&](const StreamKernel& kernel) { return kernel.name == name; });
  return at == stream_kernels.end() ? nullptr : &*at;
}

// `rate` in B/s; `array`: bytes of one.
void add(const StreamKernel& kernel, double rate, double array, double element, Benchmarks& all) {
  if (element != 4 && element != 8)
    throw InputError(fmt::format("sizeof {:g}: elements of 4 or 8 bytes are expected", element));
  const double bytes = kernel.arrays * array;
  BenchmarkRun run{.name = std::string(kernel.name), .capability = ""};
  if (rate > 0) run.time = bytes / rate;
  run.bytes = bytes;
  run.flops = kernel.flops * array / element;
  run.is_double = element == 8;
  add_run(run, all);
}

constexpr double mega = 1e6, mebi = 1 << 20;

double unit_of_rate(std::string_view column) {
  return column == "max_mbytes_per_sec"    ? mega
         : column == "max_mibytes_per_sec" ? mebi
         : column == "gbytes_per_sec"      ? 1e3 * mega
         : column == "gibytes_per_sec"     ? 1024 * mebi
                                           : 0;
}

// After the header: "Triad,100,33554432,8,1403210.1,0.000574,0.000578,0.000575".
void read_csv(std::string_view text, Benchmarks& all) {
  constexpr CsvLimits limits{"the table", 1'000, 100};
  std::size_t line = 1;
  const std::vector<std::string> header = take_record(text, line, limits);
  constexpr std::size_t least = 5;
  const double unit = header.size() < least ? 0 : unit_of_rate(header[4]);
  if (unit == 0) throw InputError("BabelStream's fifth column is no rate such as max_mbytes_per_sec");
  while (!text.empty()) {
    const std::vector<std::string> cells = take_record(text, line, limits);
    const StreamKernel* kernel = kernel_named(cells.front());
    if (kernel == nullptr) continue; // what a program prints behind it
    if (cells.size() != header.size())
      throw InputError(
          fmt::format("{}: {} cells where the header has {}", kernel->name, cells.size(), header.size()));
    const double element = number_in(cells[3], "sizeof");
    add(*kernel, unit * number_in(cells[4], header[4]), number_in(cells[2], "n_elements") * element, element,
        all);
  }
}

// "Array size: 268.4 MB (=0.3 GB)".
double array_size(const std::string& line) {
  std::istringstream words(line.substr(line.find(':') + 1));
  std::string number, unit;
  words >> number >> unit;
  const double factor = unit == "MB"    ? mega
                        : unit == "MiB" ? mebi
                        : unit == "KB"  ? 1e3
                        : unit == "KiB" ? 1024
                                        : 0;
  if (factor == 0) throw InputError("an array size in MB or MiB is expected");
  return factor * number_in(number, "Array size");
}

void read_table(std::string_view text, Benchmarks& all) {
  std::istringstream lines{std::string(text)};
  double array = 0, element = 8, unit = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first, second;
    words >> first >> second;
    if (line.rfind("Array size:", 0) == 0) array = array_size(line);
    if (line.rfind("Precision: float", 0) == 0) element = 4;
    if (first == "Function") unit = second == "MiBytes/sec" ? mebi : mega;
    const StreamKernel* kernel = unit > 0 ? kernel_named(first) : nullptr;
    if (kernel == nullptr) continue;
    if (!(array > 0)) throw InputError("BabelStream's line 'Array size:' is missing above its table");
    add(*kernel, unit * number_in(second, kernel->name), array, element, all);
  }
}

} // namespace

Benchmarks babelstream(std::string_view text) {
  Benchmarks all{.tool = "BabelStream"};
  const std::size_t header =
      text.rfind("function,num_times,", 0) == 0 ? 0 : text.find("\nfunction,num_times,");
  if (header != std::string_view::npos)
    read_csv(text.substr(header == 0 ? 0 : header + 1), all);
  else
    read_table(text, all);
  if (!all.runs.empty())
    all.notes.emplace_back("Times of BabelStream are those that its rates stand for: of the fastest run.");
  return all;
}

} // namespace perfmodel::hwdb
