#include "matmul_counts.hpp"

#include "models/core/table.hpp"

#include <cmath>

namespace perfmodel {

MatmulBlocks matmul_blocks(const MatmulRung& rung, double n) {
  return {.down = std::ceil(n / static_cast<double>(rung.rows)),
          .across = std::ceil(n / static_cast<double>(rung.columns))};
}

double matmul_fma(const MatmulRung& rung, double n) {
  if (rung.version == MatmulVersion::naive) return n * n * n;
  const auto depth = static_cast<double>(rung.depth);
  return matmul_blocks(rung, n).all() * static_cast<double>(rung.rows * rung.columns) * std::ceil(n / depth) *
         depth;
}

double tensor_steps(const MatmulRung& rung, double n) {
  const double together = rung.version == MatmulVersion::tensor_tf32 ? 2 : 1;
  return together * std::ceil(n / (together * static_cast<double>(rung.depth)));
}

TensorCounts tensor_counts(const MatmulRung& rung, double n) {
  constexpr double wavefront = 128;
  const double tiles = matmul_blocks(rung, n).all(),
               out = static_cast<double>(rung.rows * rung.columns) * rung.out_word;
  const double steps = tensor_steps(rung, n),
               tile = static_cast<double>(rung.depth * rung.columns) * rung.word;
  const bool tf32 = rung.version == MatmulVersion::tensor_tf32;
  return {.wavefronts = tiles * (out + (tf32 ? steps * tile : 0)) / wavefront};
}

} // namespace perfmodel
