// A launch seen as the hardware sees it: blocks with x fastest, warp after warp of 32 threads with x fastest
// (linear thread = x + y dx + z dx dy; CUDA C++ Programming Guide, "Thread Hierarchy"), the last warp of a
// block padded with lanes that are not live. Expressions are evaluated for all lanes of a warp; they know tid
// (thread in its block), lane, warp, x y z, bx by bz, the sides dx dy dz and gx gy gz, row = y + by dy,
// col = x + bx dx, gid (thread in the grid) and i (iteration).
#pragma once

#include "models/core/bindings.hpp"
#include "models/core/expression/expression.hpp"
#include "models/core/expression/program.hpp"
#include "models/core/gpu.hpp"
#include "models/core/shape.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfmodel {

// Every capability's warp has 32 threads (the fact warp_size); lane masks are words of as many bits.
inline constexpr std::size_t warp_lanes = 32;

// One warp. Lane l is bit l of a mask. `live`: the lanes that have a thread; `active`: those of them where
// the guard holds.
struct WarpView {
  std::int64_t block = 0; // linear in the grid
  std::int64_t warp = 0;  // in its block
  std::uint32_t live = 0, active = 0;

  // What a program gives in each lane; only active lanes mean anything.
  std::span<const std::int64_t, warp_lanes> values(std::size_t program) const {
    return std::span<const std::int64_t, warp_lanes>(programs[program] + first_lane, warp_lanes);
  }

  const std::int64_t* const* programs = nullptr; // a chunk of values for each
  std::size_t first_lane = 0;                    // of this warp in a chunk
};

class LaunchWalk {
public:
  // Throws InputError: a name of `let` that is a variable already, a launch of more than 2^32 threads.
  LaunchWalk(Shape block, Shape grid, const Bindings& let);

  // Lanes where `predicate` is 0 are not active, and programs are not evaluated there. Empty: all are. At
  // most once. `option` is what a sentence calls the expression: "--if".
  void guard_by(const Expression& predicate, std::string_view option);
  // The number by which a WarpView knows the expression, from 0. Throws InputError: unknown names.
  std::size_t add(const Expression& expression, std::string_view option);

  std::int64_t warps_per_block() const { return warps_per_block_; }
  std::int64_t warps() const { return warps_per_block_ * blocks_; }
  std::int64_t threads() const { return threads_per_block_ * blocks_; }

  // visit(const WarpView&) for every warp of the launch, in order, in constant memory. `i` is the loop
  // iteration that expressions see. Throws InputError: "--if: column 9: division by zero in thread (3,0,0) of
  // block (2,0,0)".
  template <class Visit> void each_warp(std::int64_t i, Visit visit) {
    for (start(i); next_chunk();) {
      WarpView view{.block = thread_at_ / threads_per_block_,
                    .warp = thread_at_ % threads_per_block_ / 32,
                    .programs = first_.data()};
      for (std::size_t n = 0; view.first_lane < lanes_of_chunk_; ++n) {
        const auto threads = std::min<std::int64_t>(threads_per_block_ - view.warp * 32, warp_lanes);
        view.live = ~std::uint32_t{0} >> (32 - threads);
        view.active = guard_ ? active_[n] : view.live;
        visit(std::as_const(view));
        view.first_lane += static_cast<std::size_t>(threads);
        if (++view.warp < warps_per_block_) continue;
        view.warp = 0;
        ++view.block;
      }
    }
  }
  template <class Visit> void each_warp(Visit visit) { each_warp(0, visit); }

private:
  // Arrays of 8 KiB: a program's slots stay in the L1 cache. A chunk is as many blocks as fit, or a part of
  // a larger one; warps that are not full stand close together, so that its lanes are threads in the order of
  // the grid. Behind the last one a WarpView may look over the edge.
  static constexpr std::size_t chunk_lanes = 1024;

  struct Named {
    Program program;
    std::string option;
    std::vector<std::int64_t> values = {};
  };

  Named compile(const Expression& expression, std::string_view option) const;
  void start(std::int64_t i);
  bool next_chunk();
  void fill();
  void fill_block(Shape at, std::size_t first, std::size_t lanes);
  void evaluate(Named& named, const std::int64_t* mask);

  Shape block_, grid_;
  Bindings constants_; // the sides, and let
  std::int64_t threads_per_block_, warps_per_block_, blocks_;
  std::optional<Named> guard_;
  std::vector<Named> programs_;
  std::vector<bool> used_;                       // variables that some program reads
  std::vector<std::vector<std::int64_t>> lanes_; // of each: the threads of any block, or those of a chunk
  std::vector<const std::int64_t*> variables_, first_;
  std::vector<std::uint32_t> active_; // lanes of a chunk's warps, where there is a guard
  std::int64_t thread_at_ = 0;        // of the launch: the chunk's first
  std::size_t lanes_of_chunk_ = 0;
  std::int64_t iteration_ = 0;
};

// Throws InputError where the GPU cannot run a block of that shape.
void check_block(const Gpu& gpu, Shape block);
// The same of a grid of that shape.
void check_grid(const Gpu& gpu, Shape grid);

} // namespace perfmodel
