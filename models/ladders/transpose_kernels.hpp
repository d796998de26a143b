// What each version of the transpose does with an n x n matrix of 4-byte words: its blocks, and the words
// that each instruction of a warp accesses.
#pragma once

#include "models/access/launch.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace perfmodel {

enum class TransposeVersion {
  copy,
  naive,
  strided_both,
  tile_copy,
  tiled,
  padded,
  diagonal,
  vectorised,
  tensor_copy,
  diagonal_unpadded // for the order of the fixes; no rung of its own
};
constexpr auto names(TransposeVersion) {
  return std::to_array<std::string_view>({"copy", "naive", "strided-both", "tile-copy", "tiled", "padded",
                                          "diagonal", "vectorised", "tensor-copy", "diagonal-unpadded"});
}
constexpr bool is_rung(TransposeVersion version) { return version <= TransposeVersion::tensor_copy; }

struct TransposeKernel {
  std::int64_t side = 32; // of a block's square tile, words
  std::int64_t threads = 256;
  std::int64_t words = 1;    // neighbouring words of a thread's access of global memory
  std::int64_t pitch = 0;    // words of a row of the tile in shared memory; 0: it does not go through it
  std::int64_t overhead = 0; // bytes of shared memory beside the tile
  bool reads_columns = false, writes_columns = false; // neighbouring threads' words are n apart
  bool transposes_tile = false;                       // in shared memory
  bool diagonal = false;                              // order of the blocks
  bool by_boxes = false;                              // fetched and written without the threads
};
TransposeKernel kernel_of(TransposeVersion version);

// One instruction of a warp: byte addresses and active lanes.
struct LaneAccess {
  std::array<std::int64_t, warp_lanes> address{};
  std::uint32_t mask = 0;
};

// Instructions of one warp, in the order of the source: of global memory inside of the matrix only. A tile
// begins at a multiple of 128 bytes whatever n is, so that its place does not matter, but for how many of its
// columns and rows lie inside: `columns` and `rows`.
struct WarpAccesses {
  std::vector<LaneAccess> loads, stores;                              // of global memory
  std::vector<LaneAccess> shared_stores, shared_loads;                // between them
  std::int64_t word = 4, shared_store_word = 4, shared_load_word = 4; // bytes of each
};
WarpAccesses accesses_of(const TransposeKernel& kernel, std::int64_t warp, std::int64_t n,
                         std::int64_t columns, std::int64_t rows);

} // namespace perfmodel
