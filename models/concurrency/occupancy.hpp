// The occupancy of a kernel by block size, registers and shared memory, as a command: the staircase over
// block sizes, one block in detail, and the registers that each occupancy leaves. The rule is
// resident_blocks.hpp's.
#pragma once

#include "models/concurrency/resident_blocks.hpp"
#include "models/core/model.hpp"

#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

struct OccupancyModel {
  static constexpr ModelInfo info{
      .name = "occupancy",
      .summary = "Occupancy: the blocks that an SM holds at a time, and which limit binds",
      .equation = "blocks = min(slots, warps, registers, shared memory, barriers of the SM / of a block)",
      .source = "NVIDIA, cuda_occupancy.h of CUDA 13.0 and 7.0",
      .reading =
          "Registers and shared memory are handed out in whole units to whole warps and blocks, so "
          "dividing threads alone promises too much. More occupancy hides more latency; whether that is "
          "needed, latency and throughput decide.",
      .tolerance = 0.001, // counts: a block more or less on an SM is 3 % and above
      .chart = ChartKind::lines,
      .x = "threads",
      .y = "occupancy",
      .series = "gpu",
      .steps = true,
      .examples = "--hw h200 --threads 256 --registers 40 --shared 20KiB; --hw m2090 --threads 32:1024:32 -o "
                  "occupancy.svg"};

  struct Input {
    std::optional<Count> threads;
    std::optional<std::string> block;
    std::optional<Count> registers;
    Bytes shared{0};
    Count barriers = 1;
    Count virtual_resources = 0;
    std::optional<Bytes> carveout;
    PartitionedCaching caching = PartitionedCaching::off;
    static void fields(auto& field) {
      field(&Input::threads, "threads", "threads of a block (default: every whole number of warps)",
            Range::whole);
      field(&Input::block, "block", "the block's shape instead, such as 16x16 or 8x8x4");
      field(&Input::registers, "registers", "registers of a thread; 0, or none given: they limit nothing",
            Range::not_negative);
      field(&Input::shared, "shared", "shared memory of a block, static and dynamic", Range::not_negative);
      field(&Input::barriers, "barriers", "named barriers of a block; 0: none", Range::not_negative);
      field(&Input::virtual_resources, "virtual-resources",
            "virtual resources of a block (cc 10 to 12); 0: none", Range::not_negative);
      field(&Input::carveout, "carveout",
            "shared memory of an SM preferred to L1, the next size up (default: the most there is)",
            Range::not_negative);
      field(&Input::caching, "partitioned-caching",
            "global loads cached in half an SM (cc 5.2, 5.3, 6.1, 6.2)");
    }
  };

  struct Resident {
    static constexpr std::string_view title = "resident on one SM";
    Count threads = 0, blocks = 0, warps = 0, resident = 0;
    double occupancy = 0;
    std::string limiter, register_banks;
    Count by_blocks = 0, by_warps = 0, by_registers = absent, by_shared = absent, by_barriers = absent,
          by_virtual = absent;
    Bytes shared_allocated{absent}, shared_of_sm{absent};
    static void fields(auto& field) {
      using R = Resident;
      field(&R::threads, "threads", "threads of a block", Range::whole, Role::key);
      field(&R::blocks, "blocks", "resident blocks");
      field(&R::warps, "warps", "resident warps");
      field(&R::resident, "resident_threads", "resident threads");
      field(&R::occupancy, "occupancy", "resident warps over warp slots", Range::any, Role::predicted,
            "fraction");
      field(&R::limiter, "limiter", "what limits it: all limits that tie", Range::any, Role::note);
      field(&R::register_banks, "register_banks",
            "whether blocks of this size meet conflicts of register banks", Range::any, Role::note);
      field(&R::by_blocks, "by_blocks", "blocks that the block slots allow");
      field(&R::by_warps, "by_warps", "blocks that the warp slots allow");
      field(&R::by_registers, "by_registers", "blocks that the registers allow");
      field(&R::by_shared, "by_shared", "blocks that the shared memory allows");
      field(&R::by_barriers, "by_barriers", "blocks that the barriers allow");
      field(&R::by_virtual, "by_virtual", "blocks that the virtual resources allow");
      field(&R::shared_allocated, "shared_allocated", "shared memory of a block, in whole units");
      field(&R::shared_of_sm, "shared_of_sm", "shared memory that the SM runs with");
    }
  };

  // Without --registers: what a kernel can afford.
  struct Registers {
    static constexpr std::string_view title = "most registers of a thread at each occupancy";
    Count threads = 0, blocks = 0, warps = 0;
    double occupancy = 0;
    Count most = 0;
    static void fields(auto& field) {
      using R = Registers;
      field(&R::threads, "threads", "threads of a block", Range::whole, Role::key);
      field(&R::blocks, "blocks", "resident blocks");
      field(&R::warps, "warps", "resident warps");
      field(&R::occupancy, "occupancy", "resident warps over warp slots", Range::any, Role::predicted,
            "fraction");
      field(&R::most, "most_registers", "registers of a thread at which they still fit");
    }
  };

  using Tables = std::tuple<std::vector<Resident>, std::vector<Registers>>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  // For a sweep, whose curve goes on at 0 blocks where `predict` throws LaunchError; nothing where it does
  // not.
  static std::optional<Tables> refused(const Gpu& gpu, const Input& in);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
  static const void* said(const Input&, const Tables&);
};

} // namespace perfmodel
