// What a program launched on a GPU, as `perfmodel capture` wrote it down: each distinct launch once, with its
// arguments, how often it came and how long it took. Addresses are not kept: a pointer is the allocation that
// it pointed into and how far.
#pragma once

#include "models/core/shape.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

// Eight bytes of an argument that were an address.
struct CapturedPointer {
  std::uint32_t at = 0;         // where they begin in the argument; 0 but in a struct
  std::uint32_t allocation = 0; // which of the launch's
  std::uint64_t offset = 0;     // how far into it
};

struct CapturedArgument {
  std::uint32_t offset = 0;        // from the first argument
  std::vector<std::uint8_t> bytes; // as the kernel got them, the lowest first; zero where a pointer is
  std::vector<CapturedPointer> pointers;
};

// What an allocation held when the launch came for the first time, as bytes of a file beside this one.
struct CapturedContents {
  std::optional<std::uint32_t> allocation; // which of the launch's; none: contents of others point to it,
  std::string variable;                    // or it is this one of the program's
  std::uint64_t size = 0, address = 0;     // of it, on the GPU
  std::uint64_t at = 0, bytes = 0;         // in the file; no bytes: they were not kept
};

// By the GPU's own clock, in nanoseconds. The first launch of a kernel may be slow.
struct CapturedTimes {
  std::uint64_t count = 0, least = 0, median = 0;
};

struct CapturedLaunch {
  std::string kernel;    // the mangled name
  std::uint32_t gpu = 0; // which of the file's
  Shape grid, block;
  std::uint64_t dynamic_shared = 0;          // bytes of a block
  std::optional<Shape> cluster;              // where the launch asked for clusters
  bool cooperative = false;                  // all blocks had to be resident at a time
  bool managed = false, of_host = false;     // an argument points into managed memory, or the host's
  std::optional<std::uint32_t> registers;    // of a thread
  std::optional<std::uint32_t> fixed_shared; // bytes of a block that the code asks for
  bool arguments_known = false;
  std::vector<std::uint64_t> allocations; // bytes of each
  // Of each allocation: bytes of others that were used since it was, by launches, fills or copies, without
  // this launch's own; in the median of launches like this one. Sizes of whole allocations are what is
  // counted. None: it is not known to be in L2: never used, or long ago, or copied there from the host.
  // Empty: not known.
  std::vector<std::optional<std::uint64_t>> others_since;
  std::vector<std::optional<std::uint64_t>> first_others_since; // the same of the launch that came first
  std::vector<CapturedArgument> arguments;
  std::vector<CapturedContents> contents; // of memory
  std::uint64_t count = 0;                // launches
  std::uint64_t in_a_row = 0;             // of them, those that came right behind one like it, on its GPU
  std::optional<CapturedTimes> times;
  std::optional<std::uint64_t> first_time; // [ns] of the launch that came first
};

struct CapturedGpu {
  std::string name, capability, driver; // "NVIDIA H200", "9.0", "580.95.05"
  std::uint64_t clock = 0;              // [Hz] of the SMs when the program ended; 0: not known
};

struct CapturedLaunches {
  static constexpr std::string_view format = "perfmodel-launches/1";
  // What an option that takes them names is a file: none has been shipped.
  static constexpr std::string_view shipped_in = "launches";

  std::string command; // the program that ran, with its arguments
  std::string date;    // "2026-11-28T00:20:00Z"; "": not known
  std::vector<CapturedGpu> gpus;
  std::vector<CapturedLaunch> launches; // in the order in which each came first
  std::string memory;                   // the file of their contents; "": there is none
  std::uint64_t left_out = 0;           // distinct launches beyond those that are kept
  std::vector<std::string> notes;       // what went wrong
  bool complete = true;                 // written when the program ended, and not before
  bool serial = false; // kernels ran one after the other, so that a time is that of its launch as well

  // One line for each thing, from which from_text makes the same again. Throws InputError that begins with a
  // line's number.
  static CapturedLaunches from_text(std::string_view text);
  std::string text() const;

  // Throws InputError, which names the launch: no kernel that can have run.
  void check() const;
};

// Those of several processes as of one: the same launches are one, with the times of all.
CapturedLaunches merged(const std::vector<CapturedLaunches>& processes);

} // namespace perfmodel
