// The launches of a transpose: which kernel of hwdb/kernels/transpose each version is, and with which grid,
// block and arguments it is launched for n x n matrices of 4-byte words.
#pragma once

#include "models/kernel/launch_arguments.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

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
// The tensor memory accelerator came with it: no rate that a file could hold.
inline constexpr double tensor_memory_capability = 9.0;

constexpr bool is_rung(TransposeVersion version) { return version <= TransposeVersion::tensor_copy; }

// Whether single words are stored by columns.
constexpr bool stores_single_words(TransposeVersion version) {
  return version == TransposeVersion::naive || version == TransposeVersion::strided_both;
}

// Whether its tile lies in shared memory with a choice of sides.
constexpr bool has_tile_choice(TransposeVersion version) {
  using V = TransposeVersion;
  return version == V::tile_copy || version == V::tiled || version == V::padded || version == V::diagonal ||
         version == V::diagonal_unpadded;
}
// Sides of the tiles that those are compiled for.
inline constexpr std::array<std::int64_t, 4> transpose_tiles{16, 32, 48, 64};

// In words.
struct TransposeSize {
  std::int64_t n = 0, pitch = 0; // n from 1 on; from row to row, in both matrices, at least n
  std::int64_t tile = 32;        // side of the tiles that have a choice
};

// A part of the kernel's name that no other of the family has.
std::string transpose_kernel(TransposeVersion version, const TransposeSize& size);

// Words of a side of a block's square tile.
std::int64_t transpose_tile(TransposeVersion version, std::int64_t choice);

// The tensor maps of `tensor_copy` are no arguments that could be written down: none are given.
KernelLaunch transpose_launch(TransposeVersion version, const TransposeSize& size);

} // namespace perfmodel
