// Which threads share a warp: threads of a block are numbered with x fastest, and each 32 in that order are a
// warp:
//   tid = x + y dx + z dx dy,   warp = floor(tid / 32),   lane = tid - 32 warp
// CUDA C++ Programming Guide, "Thread Hierarchy" and "SIMT Architecture"; J. Verschelde's lecture notes list
// the threads of a block with x slowest, which order x-slowest reproduces and no GPU does. The last warp is
// padded with lanes that never work.
#pragma once

#include "models/core/model.hpp"
#include "models/core/shape.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

enum class ThreadOrder { cuda, x_slowest };
constexpr auto names(ThreadOrder) { return std::to_array<std::string_view>({"cuda", "x-slowest"}); }

// threadIdx: "3,4,0"; coordinates left away are 0.
struct ThreadIndex {
  std::int64_t x = 0, y = 0, z = 0;
  static ThreadIndex from_text(std::string_view text); // throws InputError
  std::string text() const;                            // "(3,4,0)" without its parentheses
};

struct Warp {
  static constexpr ModelInfo info{
      .name = "warp",
      .summary = "Warps: which threads of a block run together, 32 at a time",
      .equation = "warp = floor((x + y dx + z dx dy) / 32)",
      .source = "CUDA C++ Programming Guide, Thread Hierarchy",
      .reading = "Threads of one warp execute one instruction together: a branch that splits them runs both "
                 "ways, and the addresses of one warp are served together.",
      .tolerance = 0.01, // counts are exact
      .chart = ChartKind::bars,
      .x = "block",
      .y = "efficiency",
      .examples = "--hw h200 --block 8x8"};

  struct Input {
    Shape block{16, 16, 1};
    std::optional<ThreadIndex> thread;
    ThreadOrder order = ThreadOrder::cuda;
    static void fields(auto& field) {
      field(&Input::block, "block", "shape of the block: 256, 16x16 or 8x8x4");
      field(&Input::thread, "thread", "tell warp and lane of this thread: x,y,z");
      field(&Input::order, "order",
            "how threads are numbered: as CUDA does, or with x slowest, as some lectures print it");
    }
  };

  struct Block {
    static constexpr std::string_view title = "block";
    Shape block;
    double threads = 0, warps = 0, idle_lanes = 0, efficiency = 0;
    std::string advice;
    static void fields(auto& field) {
      using R = Block;
      field(&R::block, "block", "shape of the block", Range::any, Role::key);
      field(&R::threads, "threads", "threads of the block", Range::any, Role::predicted, "threads");
      field(&R::warps, "warps", "warps they fill", Range::any, Role::predicted, "warps");
      field(&R::idle_lanes, "idle_lanes", "lanes of the last warp without a thread", Range::any,
            Role::predicted, "lanes");
      field(&R::efficiency, "efficiency", "lanes that have a thread", Range::any, Role::predicted,
            "fraction");
      field(&R::advice, "advice", "what would use every lane", Range::any, Role::note);
    }
  };

  struct Thread {
    static constexpr std::string_view title = "one thread";
    ThreadIndex thread;
    double tid = 0, warp = 0, lane = 0;
    static void fields(auto& field) {
      using R = Thread;
      field(&R::thread, "thread", "threadIdx", Range::any, Role::key);
      field(&R::tid, "tid", "its number in the block");
      field(&R::warp, "warp", "warp of the block");
      field(&R::lane, "lane", "lane of the warp");
    }
  };

  struct Members {
    static constexpr std::string_view title = "warps of the block";
    std::string warp;
    ThreadIndex first, last;
    std::int64_t first_tid = 0, last_tid = 0, threads = 0;
    static void fields(auto& field) {
      using R = Members;
      field(&R::warp, "warp", "warp of the block", Range::any, Role::key);
      field(&R::first, "first", "its first thread", Range::any, Role::predicted);
      field(&R::last, "last", "its last thread", Range::any, Role::predicted);
      field(&R::first_tid, "first_tid", "number of its first thread");
      field(&R::last_tid, "last_tid", "number of its last thread");
      field(&R::threads, "threads", "its threads", Range::any, Role::predicted, "threads");
    }
  };

  using Tables = std::tuple<std::vector<Block>, std::vector<Thread>, std::vector<Members>>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
};

} // namespace perfmodel
