// What all threads of a matrix product do beside what its machine code shows: multiply-adds, and what the
// copy engine's versions do. Tiles that reach beyond the matrices are padding, and counted.
#pragma once

#include "matmul_rung.hpp"

#include "models/core/table.hpp"

namespace perfmodel {

// Blocks of the grid; those of the tensor versions walk over as many tiles.
struct MatmulBlocks {
  double down = 0, across = 0;
  double all() const { return down * across; }
};
MatmulBlocks matmul_blocks(const MatmulRung& rung, double n);

// Of a version without tensor units.
double matmul_fma(const MatmulRung& rung, double n);

struct TensorCounts {
  double fma = 0, sectors = absent, wavefronts = 0;
};
// Steps of k of a tile on tensor units: of tf32 an even number, the rest beyond n.
double tensor_steps(const MatmulRung& rung, double n);
// Of a version on tensor units, which the copy engine feeds past the SM's own loads, and whose results it
// stores: threads bring C to shared memory, and in tf32 B from there to registers. Sectors are absent: they
// have none but those of blocks that wait for one another.
TensorCounts tensor_counts(const MatmulRung& rung, double n);

} // namespace perfmodel
