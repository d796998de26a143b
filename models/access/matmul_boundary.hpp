// The boundary checks of a tiled matrix product: a W x W matrix, blocks of T x T threads, ceil(W / T) phases
// in which a block loads a tile of either operand,
//   M: row < W && phase T + x < W     N: phase T + y < W && col < W
// (W.-m. Hwu, D. Kirk, Programming Massively Parallel Processors; NVIDIA's teaching kit, module 5.2). A
// check is the same in all blocks and phases that lie inside the matrix, so a launch is a few cases. For T of
// 8, 16 and 32 the divergent warp-phases of one operand are, with nb = ceil(W / T), e = W mod T > 0 and
// rho = 32 / T rows in a warp,
//   (nb - 1) nb T T / 32 + nb ceil(e / rho) + (nb > 1 and e mod rho > 0) nb (nb - 1)
// which tests hold the cases against, as they do a walk over the launch.
#pragma once

#include "divergence_count.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace perfmodel {

enum class Operand { m, n, either }; // either: a warp-phase diverges at one of the two checks or at both

// The warp-phases (steps) of blocks that all meet, or do not meet, the matrix's edge in every phase.
struct BoundaryPart {
  Operand operand{};
  bool at_edge = false; // blocks of the last row (M) or column (N), where it leaves the matrix
  double blocks = 0;
  DivergenceCount count; // the side outside the matrix stores a zero: work as well
};

// M inside, M at the edge, N inside, N at the edge, either; those without blocks are left out. Only widths
// and tiles of at least 1 have an answer.
std::vector<BoundaryPart> matmul_boundary(std::int64_t width, std::int64_t tile);

} // namespace perfmodel
