// Every model, in the order of the help. Adding one is adding its line.
#include "models/access/bank_conflicts.hpp"
#include "models/access/coalescing.hpp"
#include "models/access/constant_cache.hpp"
#include "models/access/divergence.hpp"
#include "models/access/partition_camping.hpp"
#include "models/access/segment_rate.hpp"
#include "models/access/warp.hpp"
#include "models/bounds/balance.hpp"
#include "models/bounds/energy.hpp"
#include "models/bounds/intensity.hpp"
#include "models/bounds/roofline.hpp"
#include "models/concurrency/accuracy.hpp"
#include "models/concurrency/instruction_throughput.hpp"
#include "models/concurrency/latency_hiding.hpp"
#include "models/concurrency/littles_law.hpp"
#include "models/concurrency/occupancy.hpp"
#include "models/concurrency/operand_bandwidth.hpp"
#include "models/core/erase.hpp"
#include "models/ladders/matmul.hpp"
#include "models/ladders/memory_parallelism.hpp"
#include "models/ladders/pi.hpp"
#include "models/ladders/reduction.hpp"
#include "models/ladders/suffix_sums.hpp"
#include "models/ladders/transpose.hpp"
#include "models/parallel/all_reduce.hpp"
#include "models/parallel/message.hpp"
#include "models/parallel/node.hpp"
#include "models/parallel/shared_memory.hpp"
#include "models/parallel/transfer.hpp"
#include "models/parallel/work_depth.hpp"
#include "models/views/kernel.hpp"

namespace perfmodel {

std::span<const Model> models() {
  // clang-format off
  static const Model all[] = {
      erase<Roofline>(),
      erase<Balance>(),
      erase<Energy>(),
      erase<Intensity>(),
      erase<LittlesLaw>(),
      erase<LatencyHiding>(),
      erase<MemoryParallelism>(),
      erase<OccupancyModel>(),
      erase<OperandBandwidth>(),
      erase<InstructionThroughput>(),
      erase<Accuracy>(),
      erase<Warp>(),
      erase<Divergence>(),
      erase<Coalescing>(),
      erase<PartitionCamping>(),
      erase<SegmentRate>(),
      erase<BankConflicts>(),
      erase<ConstantCache>(),
      erase<Reduction>(),
      erase<Pi>(),
      erase<SuffixSums>(),
      erase<Transpose>(),
      erase<Matmul>(),
      erase<KernelModel>(),
      erase<WorkDepth>(),
      erase<Transfer>(),
      erase<MessageModel>(),
      erase<AllReduce>(),
      erase<SharedMemory>(),
      erase<NodeModel>(),
  };
  // clang-format on
  return all;
}

} // namespace perfmodel
