// What the blocks of a matrix product ask of the memories in one step of k: transactions of a warp's loads,
// bytes between L2 and the SM, wavefronts of the banks, and what device memory is asked for.
//   with caches    a block brings every sector of its part of A and B to its SM once; device memory delivers,
//                  to each round of resident blocks, the rows of A and columns of B that they share, once;
//                  nothing where the three matrices fit in L2
//   without        every transaction goes to device memory. Its partitions are busy as in partitions.hpp: a
//                  maximal run of consecutive bytes in one partition that one instruction asks for in all
//                  resident blocks, repeated bytes counted as often as they are asked for, takes
//                  max(bytes / (B / N), 1 / (R / N)); the busiest partition decides.
// The banks of L1 are those of shared memory where one memory is both (cc 2.x, 3.x, from 7.0 on): loads of
// two rows that lie a multiple of all banks apart conflict. Assumes that blocks go through k together.
#pragma once

#include "matmul_rung.hpp"

#include "models/access/banks.hpp"
#include "models/access/transactions.hpp"

#include <cstdint>

namespace perfmodel {

// Of one warp's load of one operand, the mean of a block's warps.
struct OperandLoad {
  double wavefronts = 0;              // of L1's banks
  double transactions = 0, moved = 0; // and their bytes
  double l2_bytes = 0;
  double dram_bytes = 0; // where a partition is the busiest: as many as keep all partitions busy for as long
};

struct MatmulTraffic {
  OperandLoad a, b;  // naive: of one k; else of one step of `depth`
  double stores = 0; // transactions of a warp's store of C
  // Wavefronts of a warp's accesses to shared memory: of its stores in a step, of a load of A's and B's
  // words for `wide` k.
  double store_a = 0, store_b = 0, load_a = 0, load_b = 0;
  std::int64_t wide = 1;     // k's words of A that one load brings
  bool camped = false;       // a partition decides
  double sectors_bytes = 32; // of a transaction, at least
};

struct MatmulMemory {
  CoalescingRule load, store;
  Banks banks;
  bool cached = true;          // there is an L2
  bool fits = false;           // and all three matrices fit in it
  std::int64_t partitions = 0; // that addresses are dealt to in turn; 0: hashed, or not known
  std::int64_t interleave = 256;
  double bandwidth = 0, segment_rate = 0; // of device memory, B/s and runs per second; 0: not known
  std::int64_t resident = 1;              // blocks of the device
};

// Of the versions without tensor units. A few blocks and steps of k stand for all.
MatmulTraffic matmul_traffic(const MatmulRung& rung, std::int64_t n, const MatmulMemory& memory);

} // namespace perfmodel
