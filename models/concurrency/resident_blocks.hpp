// Occupancy: the blocks of one kernel that an SM holds at a time, and which limit says so.
//   blocks = min(block slots, warp slots, registers, shared memory, barriers, virtual resources, each divided
//            by what a block takes),   occupancy = blocks x warps of a block / warp slots of the SM
// NVIDIA, cuda_occupancy.h (CUDA 13.0 for cc 3.x to 12.x, CUDA 7.0 for cc 1.x and 2.x). Assumes blocks of one
// kernel alone on the SM, and that the kernel opted in to as much shared memory as it uses. sm_resources.hpp
// has the rule of each limit.
#pragma once

#include "models/core/gpu.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace perfmodel {

template <class T> struct SmResources;
struct Plain;

// Partitioned global caching (cc 5.2, 5.3, 6.1, 6.2): a block that caches global loads stays in one half of
// the SM. `on` gives way where the block does not fit into a half, `strict` does not.
enum class PartitionedCaching { off, on, strict };
constexpr auto names(PartitionedCaching) { return std::to_array<std::string_view>({"off", "on", "strict"}); }

// What a kernel and its launch ask of an SM. Zero registers, barriers or virtual resources: unknown or none,
// so that they limit nothing.
struct Launch {
  Count threads_per_block = 256;
  Count registers_per_thread = 0;
  Bytes shared_per_block{0}; // static and dynamic together
  Count barriers_per_block = 1;
  Count virtual_resources_per_block = 0;
  std::optional<Bytes> carveout; // shared memory of the SM that is preferred to L1; absent: the most there is
  PartitionedCaching caching = PartitionedCaching::off;
};

enum class Limiter { warps, blocks, registers, shared, barriers, virtual_resources };
inline constexpr std::size_t limiter_count = 6;
constexpr auto names(Limiter) {
  return std::to_array<std::string_view>(
      {"warps", "blocks", "registers", "shared memory", "barriers", "virtual resources"});
}

struct Occupancy {
  Count blocks = 0, warps = 0, threads = 0;   // resident on one SM; 0 when the block cannot launch
  double occupancy = 0;                       // resident warps over the SM's warp slots
  Limiter limiter = Limiter::warps;           // the first of those that bind
  std::array<Count, limiter_count> allowed{}; // blocks that each limit allows, infinite where there is none
  Bytes shared_allocated{0};                  // of a block, in whole units and with what the system takes
  Bytes shared_of_sm{0};                      // the carve-out that the SM runs with

  Count allows(Limiter limit) const { return allowed[static_cast<std::size_t>(limit)]; }
  bool binds(Limiter limit) const { return allows(limit) == blocks; }
  std::string binding() const; // "warps, registers": all that tie
};

// Throws LaunchError: a block that cannot launch, with the reason and the limit; InputError: a fact that is
// missing, a number that is no count.
Occupancy occupancy(const Gpu& gpu, const Launch& launch);

// The same with the facts looked up once, for sweeps: 0 blocks when the block cannot launch.
SmResources<Plain> sm_resources(const Gpu& gpu);
Occupancy occupancy(const SmResources<Plain>& sm, const Launch& launch);
// Throws InputError: a number that is no count.
bool can_launch(const SmResources<Plain>& sm, const Launch& launch);

// The same, recording its steps.
template <class T> Occupancy explained_occupancy(const Gpu& gpu, const Launch& launch, T& trace);

// Why the block cannot launch; "" when it can.
std::string refusal(const Gpu& gpu, const Launch& launch);
std::string refusal(const Gpu& gpu, const SmResources<Plain>& sm, const Launch& launch);

} // namespace perfmodel
