// What benchmark harnesses write: nvbench (--json, --csv), Google Benchmark (--benchmark_format=json or csv)
// and BabelStream (--csv, or the table that it prints). Which of them a text is, its content says.
#pragma once

#include "models/validation/profile.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::hwdb {

struct Benchmarks {
  std::string tool; // "nvbench", "Google Benchmark", "BabelStream"
  // Counters: "time" in second; where the file says so "bytes" in byte and "flop.fp32" or "flop.fp64" in
  // flop, all of one run. A name that stands there several times is several launches.
  std::vector<ProfiledLaunch> runs;
  std::vector<std::string> notes; // sentences: what was passed over, and how a number is to be read
};

// Whether a text is such a file.
bool is_benchmarks(std::string_view text);

// `file` appears in messages. Throws InputError that names it: of no format above, torn, a number that is
// none, no benchmark with a time.
Benchmarks parse_benchmarks(std::string_view text, const std::string& file);

} // namespace perfmodel::hwdb
