// One benchmark's run as the readers of benchmark files make it.
#pragma once

#include "benchmark_file.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace perfmodel::hwdb {

struct BenchmarkRun {
  std::string name, capability;             // "9.0"; "" where the file says none
  std::optional<double> time, bytes, flops; // s, B, flop
  bool is_double = false;                   // of the operations
};

// Adds it; without a time that a program can take, a note that it is left out.
void add_run(const BenchmarkRun& run, Benchmarks& all);

// "1.5e-06". Throws InputError: no number.
double number_in(std::string_view cell, std::string_view what);

// A time_unit of Google Benchmark's in seconds. Throws InputError: another word.
double benchmark_seconds(std::string_view unit);
// What a counter of such a name is in flop/s, as a factor: "FLOPS" is 1, "GFLOP/s" 1e9; nothing for others.
std::optional<double> flop_rate(std::string_view name);
// Whether a benchmark's name speaks of operations in double precision.
bool speaks_of_double(std::string_view name);

// The readers, each of its own format; `text` is known to be of it. Throw InputError without the file's name.
Benchmarks nvbench_json(std::string_view text);
Benchmarks google_json(std::string_view text);
Benchmarks nvbench_csv(std::string_view text);
Benchmarks google_csv(std::string_view text);
Benchmarks babelstream(std::string_view text);

} // namespace perfmodel::hwdb
