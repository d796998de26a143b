#include "matmul_boundary.hpp"

#include <algorithm>

namespace perfmodel {

namespace {

// Tiles along one side of the matrix: `times` of them hold `extent` rows or columns of the matrix.
struct Tiles {
  std::int64_t extent;
  double times;
  bool edge;
};

std::vector<Tiles> tiles(std::int64_t width, std::int64_t tile) {
  const std::int64_t inside = width / tile, rest = width % tile;
  std::vector<Tiles> all;
  if (inside > 0) all.push_back({tile, static_cast<double>(inside), false});
  if (rest > 0) all.push_back({rest, 1, true});
  return all;
}

// The warps of a T x T block of which some lanes, and all, pass the check y < rows && x < columns.
struct Passing {
  std::vector<bool> some, all;
};

Passing passing(std::int64_t tile, std::int64_t rows, std::int64_t columns) {
  const auto warps = static_cast<std::size_t>((tile * tile + 31) / 32);
  Passing p{std::vector<bool>(warps, false), std::vector<bool>(warps, true)};
  for (std::int64_t t = 0; t < tile * tile; ++t) {
    const bool inside = t / tile < rows && t % tile < columns;
    const auto warp = static_cast<std::size_t>(t / 32);
    p.some[warp] = p.some[warp] || inside;
    p.all[warp] = p.all[warp] && inside;
  }
  return p;
}

// `times` blocks in one phase, at one or two checks.
DivergenceCount count(std::int64_t tile, double times, const Passing& m, const Passing* n = nullptr) {
  DivergenceCount c;
  const double checks = n == nullptr ? 1 : 2;
  for (std::size_t w = 0; w < m.some.size(); ++w) {
    const bool at_m = m.some[w] && !m.all[w], at_n = n != nullptr && n->some[w] && !n->all[w];
    c.warp_steps += times;
    c.active_warp_steps += m.some[w] || (n != nullptr && n->some[w]) ? times : 0;
    c.divergent += at_m || at_n ? times : 0;
    c.passes += times * (checks + at_m + at_n);
    c.mean_passes += times * checks;
  }
  c.lane_passes = times * checks * static_cast<double>(tile * tile);
  return c;
}

} // namespace

std::vector<BoundaryPart> matmul_boundary(std::int64_t width, std::int64_t tile) {
  const std::vector<Tiles> side = tiles(width, tile);
  const std::int64_t tiles_across = (width + tile - 1) / tile;
  const auto across = static_cast<double>(tiles_across);
  std::vector<BoundaryPart> parts;
  for (const Operand operand : {Operand::m, Operand::n})
    for (const Tiles& blocks : side) {
      BoundaryPart part{.operand = operand, .at_edge = blocks.edge, .blocks = blocks.times * across};
      for (const Tiles& phase : side) {
        const Passing p = operand == Operand::m ? passing(tile, blocks.extent, phase.extent)
                                                : passing(tile, phase.extent, blocks.extent);
        part.count += count(tile, part.blocks * phase.times, p);
      }
      parts.push_back(part);
    }
  BoundaryPart either{.operand = Operand::either, .blocks = across * across};
  for (const Tiles& row : side)
    for (const Tiles& column : side)
      for (const Tiles& phase : side) {
        const Passing m = passing(tile, row.extent, phase.extent),
                      n = passing(tile, phase.extent, column.extent);
        either.count += count(tile, row.times * column.times * phase.times, m, &n);
      }
  parts.push_back(either);
  return parts;
}

} // namespace perfmodel
