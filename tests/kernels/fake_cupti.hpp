// What the stand-in for libcupti.so does, and what was asked of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace perfmodel::kernels {

struct FakeCupti {
  std::map<std::string, double> values;       // of the metrics that it knows
  std::size_t passes = 1, stops_per_pass = 1; // passes it announces; stops until it has one of them
  std::map<std::string, int> results;         // of the functions that fail: CUptiResult
  std::size_t ranges = 1, dropped = 0;
  std::uint32_t version = 130001;

  std::vector<std::string> calls; // without "cupti"
  std::size_t stops = 0;
  int hosts = 0, profilers = 0; // alive
};

extern "C" FakeCupti* fake_cupti();

} // namespace perfmodel::kernels
