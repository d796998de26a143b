// The rungs of the reduction ladder, and the launches that each makes of a sum. No CUDA header.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace perfmodel::kernels {

enum class Rung {
  interleaved,
  strided_index,
  sequential,
  first_add,
  warp_synchronous,
  unrolled_warp,
  unrolled,
  grid_stride,
  shuffle,
  vector,
  cub
};
inline constexpr std::array<std::string_view, 11> rung_names{
    "interleaved",      "strided-index", "sequential", "first-add",
    "warp-synchronous", "unrolled-warp", "unrolled",   "grid-stride",
    "shuffle",          "vector",        "cub"};

// One launch: `blocks` blocks read `elements` elements and leave as many sums as there are blocks; the vector
// rung's last block adds those up itself.
struct Pass {
  unsigned elements, blocks;
};

// Of the vector rung: loads of 16 bytes that each thread has in flight, and how often it has them at least,
// so that a short array has fewer blocks to launch and partial sums to gather.
inline constexpr unsigned vector_loads = 4, vector_trips = 2;

// What a block sums where there are blocks enough.
inline unsigned elements_per_block(Rung rung, unsigned threads) {
  if (rung == Rung::vector) return threads * 4 * vector_loads * vector_trips;
  return rung >= Rung::first_add ? 2 * threads : threads;
}

// n is at most 2^31; `wave` is how many blocks the device holds at a time. Of cub, which chooses its own
// launches: none.
inline std::vector<Pass> reduction_passes(Rung rung, unsigned threads, unsigned n, unsigned wave) {
  std::vector<Pass> list;
  if (rung == Rung::cub) return list;
  const unsigned per_block = elements_per_block(rung, threads);
  do {
    Pass pass{n, std::max(1u, (n + per_block - 1) / per_block)};
    // One wave leaves so few partial sums that one block adds them up.
    if (rung >= Rung::grid_stride) pass.blocks = list.empty() ? std::min(pass.blocks, wave) : 1;
    list.push_back(pass);
    n = pass.blocks;
  } while (n > 1 && rung != Rung::vector);
  return list;
}

} // namespace perfmodel::kernels
