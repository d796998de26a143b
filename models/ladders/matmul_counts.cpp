#include "matmul_counts.hpp"

#include "models/core/table.hpp"

#include <cmath>

namespace perfmodel {

MatmulBlocks matmul_blocks(const MatmulRung& rung, double n) {
  return {.down = std::ceil(n / static_cast<double>(rung.rows)),
          .across = std::ceil(n / static_cast<double>(rung.columns))};
}

MatmulCounts matmul_counts(const MatmulRung& rung, const MatmulTraffic& t, double n) {
  const double blocks = matmul_blocks(rung, n).all();
  const auto depth = static_cast<double>(rung.depth);
  const double steps = std::ceil(n / depth),
               warps = std::ceil(static_cast<double>(rung.threads) / 32) * blocks;
  const bool wide = rung.version == MatmulVersion::register_tiled;
  const double stores = wide ? 16 : 1; // of a thread
  const double sectors = warps * (steps * (t.a.transactions + t.b.transactions) + stores * t.stores);
  const double loaded = warps * steps * (t.a.moved + t.b.moved);
  if (rung.version == MatmulVersion::naive) return {.fma = n * n * n, .sectors = sectors, .loaded = loaded};
  const double loads = wide ? depth * 2 * (t.load_a + t.load_b)
                            : depth * t.load_b + depth / static_cast<double>(t.wide) * t.load_a;
  return {.fma = blocks * static_cast<double>(rung.rows * rung.columns) * steps * depth,
          .sectors = sectors,
          .wavefronts = warps * steps * (loads + t.store_a + t.store_b),
          .loaded = loaded};
}

double tensor_steps(const MatmulRung& rung, double n) {
  const double together = rung.version == MatmulVersion::tensor_tf32 ? 2 : 1;
  return together * std::ceil(n / (together * static_cast<double>(rung.depth)));
}

MatmulCounts tensor_counts(const MatmulRung& rung, double n) {
  constexpr double wavefront = 128;
  const double tiles = matmul_blocks(rung, n).all(),
               out = static_cast<double>(rung.rows * rung.columns) * rung.out_word;
  const double steps = tensor_steps(rung, n),
               tile = static_cast<double>(rung.depth * rung.columns) * rung.word;
  const bool tf32 = rung.version == MatmulVersion::tensor_tf32;
  return {.sectors = absent, .wavefronts = tiles * (out + (tf32 ? steps * tile : 0)) / wavefront};
}

} // namespace perfmodel
