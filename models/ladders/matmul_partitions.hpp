// Device memory whose addresses are dealt to its partitions in turn, under a matrix product that no cache
// stands before (up to cc 1.3), of the naive and of the tiled version.
//   time = steps of k x seconds of the busiest partition for what all resident blocks ask for in one
// A maximal run of consecutive bytes in one partition that one instruction asks for in all resident blocks,
// repeated bytes counted as often as they are asked for, takes max(bytes / (B / N), 1 / (R / N)), as in
// partitions.hpp. Assumes that blocks go through k in step, which holds them where all of them wait for
// memory: where a block has more to do than to wait, those that are ahead in another partition get further
// ahead, and the partitions are busy in turn.
#pragma once

#include "matmul_rung.hpp"

#include "models/access/transactions.hpp"
#include "models/core/units.hpp"

#include <cstdint>

namespace perfmodel {

struct DealtMemory {
  CoalescingRule load;
  std::int64_t partitions = 1, interleave = 256;
  double bandwidth = 0, segment_rate = 0; // B/s and runs per second; 0: not known
  std::int64_t resident = 1;              // blocks of the device
};

// A few windows of resident blocks and steps of k stand for all.
Seconds busiest_partition_time(const MatmulRung& rung, std::int64_t n, const DealtMemory& memory);

} // namespace perfmodel
