// A run of one probe, with every kind of column, an absent number and an odd character.
#pragma once

#include "models/validation/measurement.hpp"

namespace perfmodel::hwdb {

inline Record small_run() {
  Measurement m{.probe = "dram", .model = "roofline", .measures = "DRAM bandwidth", .verified = true};
  m.table = {.title = "dram",
             .columns = {{.name = "access",
                          .role = Role::key,
                          .cells = std::vector<std::string>{"read", "write \"µ\""}},
                         {.name = "n",
                          .unit = {"threads", {}},
                          .role = Role::key,
                          .cells = std::vector<std::int64_t>{1, -2}},
                         {.name = "bandwidth",
                          .unit = unit_of<BytesPerSecond>(),
                          .role = Role::measured,
                          .cells = std::vector<double>{4.61e12, absent}},
                         {.name = "low",
                          .unit = unit_of<BytesPerSecond>(),
                          .role = Role::low,
                          .cells = std::vector<double>{4.6e12, 640}}},
             .notes = {"a note"}};
  m.constants = {
      {.path = "sustained.dram", .value = 4.61e12, .low = 4.6e12, .high = absent, .probe = "dram"}};
  m.samples = {{.of = "sustained.dram", .unit = unit_of<BytesPerSecond>(), .values = {4.6e12, 0.1, absent}}};
  m.conditions = {{"sm_clock", "1980 MHz"}, {"power", "500 W"}};
  return {.version = "0.1.0",
          .commit = "abc",
          .date = "2026-11-20T09:00:00Z",
          .gpu = "h200",
          .device = {{"name", "NVIDIA H200"}},
          .environment = {{"driver", "580.159"}},
          .result = {.kind = Kind::measured},
          .measurements = {m}};
}

} // namespace perfmodel::hwdb
