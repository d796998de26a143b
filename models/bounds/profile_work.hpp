// What a profiled kernel did in one launch, from its counters, and its points on the roofline.
//   flop = add + mul + 2 fma of smsp__sass_thread_inst_executed_op_*_pred_on.sum (f: fp32, d: fp64, h: fp16)
//   bytes = dram__bytes.sum, lts__t_bytes.sum, l1tex__t_bytes.sum;  time = gpu__time_duration.sum
// C. Yang, T. Kurth, S. Williams, Concurrency and Computation 32(20), 2020. Instructions of the tensor units
// are not among these operations. Of a kernel without any of them the instructions on integers,
// smsp__sass_thread_inst_executed_op_integer_pred_on.sum, stand in, where they were counted. A benchmark
// tells "time", "bytes" (of device memory) and "flop.fp32" or "flop.fp64" itself.
#pragma once

#include "models/bounds/memory_level.hpp"
#include "models/bounds/points.hpp"
#include "models/validation/profile.hpp"

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

struct ProfiledWork {
  std::optional<Seconds> time;
  std::vector<std::pair<Precision, Flops>> flops; // of the precisions that were counted, also none of one
  std::vector<std::pair<Level, Bytes>> bytes;     // of the levels that were counted
  bool on_tensor_units = false;                   // instructions of theirs were counted
  // Metrics of the groups above that were not counted; operations of one precision do where there are any.
  std::vector<std::string> missing;
};

// Throws InputError: a counter in a unit that is none of its kind.
ProfiledWork work_of(const ProfiledLaunch& launch);

// A point for each level that was counted, in the precision of most operations, named by `names`; those of
// one kernel are one path. None of a kernel that does no operation, or of which the time was not counted.
std::vector<RooflinePoint> points_of(const std::vector<ProfiledKernel>& kernels,
                                     const std::vector<std::string>& names);

// The metrics that a roofline needs and that some kernel lacks, and the command line that collects all; ""
// where nothing is missing.
std::string missing_in_words(const std::vector<ProfiledKernel>& kernels);

} // namespace perfmodel
