// The rows that say what a launch does and takes.
#pragma once

#include "models/core/model.hpp"
#include "models/core/shape.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace perfmodel {

struct LaunchSummary {
  static constexpr std::string_view title = "launch";
  Count number = absent; // of a file of launches, from 1; so in all tables
  std::string kernel;
  Shape grid, block;
  std::string arguments;
  Seconds time;
  Seconds measured{absent};
  double error = absent;
  Count runs = absent;
  std::string bound;
  Count blocks = 0, resident = 0, waves = 0;
  double occupancy = 0, instructions = 0, per_cycle = 0;
  Bytes l2_read{absent}, dram_read{absent}, dram_written{absent};
  BytesPerSecond dram_rate{absent};
  std::string cache, timed, code, dependences, assumes;
  bool leaves_arrays = false;    // accesses lie outside of what pointers lead to
  bool assumes_data = false;     // something of what is loaded, which is not known
  bool goes_by_contents = false; // of memory at the launch, which are
  static void fields(auto& field) {
    using R = LaunchSummary;
    field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
    field(&R::kernel, "kernel", "the function", Range::any, Role::key);
    field(&R::grid, "grid", "blocks of the grid", Range::any, Role::key);
    field(&R::block, "block", "threads of a block", Range::any, Role::key);
    field(&R::arguments, "arguments", "as they were captured", Range::any, Role::key);
    field(&R::time, "time", "of the launch, as what 'timed' names would give it");
    field(&R::measured, "measured", "median of the launches' times, where it was captured", Range::any,
          Role::measured);
    field(&R::error, "error", "of the predicted time: over the measured one, less one", Range::any,
          Role::measured, "fraction");
    field(&R::runs, "runs", "of which that is the median", Range::any, Role::measured);
    field(&R::bound, "bound", "what is busy for nearly all of the time", Range::any, Role::note);
    field(&R::blocks, "blocks", "of the grid");
    field(&R::resident, "resident", "blocks that an SM holds at a time");
    field(&R::waves, "waves", "blocks over those that all SMs hold", Range::any, Role::predicted, "waves");
    field(&R::occupancy, "occupancy", "resident warps over warp slots", Range::any, Role::predicted,
          "fraction");
    field(&R::instructions, "instructions", "that warps issue, all together", Range::any, Role::predicted,
          "instructions");
    field(&R::per_cycle, "per_cycle", "instructions of an SM in a cycle", Range::any, Role::predicted,
          "instructions");
    field(&R::l2_read, "l2_read", "bytes that L1 lacks; empty: none");
    field(&R::dram_read, "dram_read", "bytes from device memory; empty: none");
    field(&R::dram_written, "dram_written", "bytes to device memory while the kernel runs; empty: none");
    field(&R::dram_rate, "dram_rate", "both over the time");
    field(&R::cache, "cache", "what L2 holds at the start", Range::any, Role::note);
    field(&R::timed, "timed", "by what, beside the work of its blocks, launches take", Range::any,
          Role::note);
    field(&R::code, "code", "the architecture that it was compiled for", Range::any, Role::note);
    field(&R::dependences, "dependences", "what says how long warps wait", Range::any, Role::note);
    field(&R::assumes, "assumes",
          "of what goes by loaded data, in the block in the middle, and of where memory lies", Range::any,
          Role::note);
  }
};

struct LaunchAccesses {
  static constexpr std::string_view title = "accesses";
  std::string memory;
  Count requests = 0, sectors = 0;
  double each = 0;
  std::optional<double> least;
  Count number = absent;
  static void fields(auto& field) {
    using R = LaunchAccesses;
    field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
    field(&R::memory, "memory", "which accesses", Range::any, Role::key);
    field(&R::requests, "requests", "instructions of warps", Range::any, Role::predicted, "requests");
    field(&R::sectors, "pieces", "sectors of 32 bytes, or wavefronts of shared memory", Range::any,
          Role::predicted, "pieces");
    field(&R::each, "per_request", "pieces of a request", Range::any, Role::predicted, "pieces");
    field(&R::least, "least", "without bank conflicts", Range::any, Role::predicted, "pieces");
  }
};

struct LaunchStall {
  static constexpr std::string_view title = "why warps do not issue";
  std::string stall;
  double share = 0, cycles = 0;
  Count number = absent;
  static void fields(auto& field) {
    using R = LaunchStall;
    field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
    field(&R::stall, "stall", "the reason, by the profiler's names", Range::any, Role::key);
    field(&R::share, "share", "of the cycles of resident warps", Range::any, Role::predicted, "fraction");
    field(&R::cycles, "per_instruction", "cycles for each instruction that is issued", Range::any,
          Role::predicted, "cycles");
  }
};

struct BusyUnit {
  static constexpr std::string_view title = "what is busy";
  std::string unit;
  double busy = 0;
  Count number = absent;
  static void fields(auto& field) {
    using R = BusyUnit;
    field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
    field(&R::unit, "unit", "of a scheduler, an SM or the device", Range::any, Role::key);
    field(&R::busy, "busy", "share of the time", Range::any, Role::predicted, "fraction");
  }
};

struct ExecutedLine {
  static constexpr std::string_view title = "machine code";
  std::string line, instruction;
  Count executed = 0;
  Count number = absent;
  static void fields(auto& field) {
    using R = ExecutedLine;
    field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
    field(&R::line, "line", "of the listing", Range::any, Role::key);
    field(&R::instruction, "instruction", "as it is listed", Range::any, Role::note);
    field(&R::executed, "executed", "how often, by all warps of the block in the middle of the grid",
          Range::any, Role::predicted, "1/block");
  }
};

struct ChangedLaunch {
  static constexpr std::string_view title = "what if";
  std::string change;
  Seconds time;
  double gain = 1;
  Count number = absent;
  static void fields(auto& field) {
    using R = ChangedLaunch;
    field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
    field(&R::change, "change", "what is thought away", Range::any, Role::key);
    field(&R::time, "changed_time", "of the same launch, simulated again");
    field(&R::gain, "gain", "over it as it is", Range::any, Role::predicted, "times");
  }
};

// Of a file of launches: what is in none of the other tables.
struct UnpredictedLaunch {
  static constexpr std::string_view title = "not predicted";
  static constexpr std::string_view not_listed = "the listing has no such function";
  static constexpr std::string_view of_a_library =
      "a kernel of a library such as cuBLAS or PyTorch's is in that library: list it with 'cuobjdump -elf "
      "-sass libNAME.so', or take its cubins out with 'cuobjdump -xelf all libNAME.so' "
      "(docs/reference/capture.md)";
  Count number = absent;
  std::string kernel, why;
  static void fields(auto& field) {
    using R = UnpredictedLaunch;
    field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
    field(&R::kernel, "kernel", "the function", Range::any, Role::key);
    field(&R::why, "why", "it is not", Range::any, Role::note);
  }
};

} // namespace perfmodel
