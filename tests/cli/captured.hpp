// A file of launches as `capture` writes it, and what `kernel` says of one.
#pragma once

#include "program.hpp"

#include "hwdb/launches_file.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace perfmodel::captured {

// vector-copy of eight million floats, 20 times on an H200.
inline CapturedLaunches copies() {
  CapturedLaunch copy{
      .kernel = "_Z5vcopyPfPKfi",
      .grid = {.x = 32768},
      .block = {.x = 256},
      .registers = 10,
      .fixed_shared = 0,
      .arguments_known = true,
      .allocations = {32U << 20, 32U << 20},
      .arguments = {{.offset = 0, .bytes = std::vector<std::uint8_t>(8), .pointers = {{0, 0, 0}}},
                    {.offset = 8, .bytes = std::vector<std::uint8_t>(8), .pointers = {{0, 1, 0}}},
                    {.offset = 16, .bytes = {0, 0, 0x80, 0}}},
      .count = 20,
      .times = {{.count = 20, .least = 24'000, .median = 25'000}}};
  CapturedLaunch other = copy;
  other.kernel = "_Z5otherPfPKfi";
  return {.command = "./app 4096",
          .gpus = {{.name = "NVIDIA H200", .capability = "9.0", .driver = "580.95", .clock = 1'980'000'000}},
          .launches = {copy, other}};
}

struct File {
  Scratch scratch;
  std::string name = scratch / "app.launches";
  explicit File(const CapturedLaunches& launches) { write(name, hwdb::launches_json(launches)); }
};

inline Answer kernel(const std::string& file, const std::string& more) {
  return perfmodel(words("kernel vector-copy --launches " + file + " " + more));
}

} // namespace perfmodel::captured
