// Costs that a GPU's files lack, from other GPUs, by the rule that the fact itself states (hwdb/facts):
//   scale   what it goes with: "same" (as many cycles), "clock" (as much time), "sm_count clock" (per SM and
//           cycle), "dram.bandwidth" (a share of the pins'), or any other fact
//   since   the compute capability from which the hardware has it
//   above   a fact that it is not below: what device memory delivers passes through L2
//   assume  its range, in multiples of what it scales with, and why
// A cost is inherited from the GPU that is nearest, from several equally near ones as their mean, where that
// has the same chip or compute capability; what scales with device memory, also where it has the same kind of
// memory. Else it is assumed: what the nearest GPU that has it would give, held to the range; the range's
// middle where none has it. Without a range it stays absent, and a model that needs it says so. No rule names
// a GPU. The same rules carry a cost to any GPU, known or not, so they can be tested by hiding what is known
// (tests/models/machine).
#pragma once

#include "models/core/gpu.hpp"

#include <span>
#include <string>

namespace perfmodel {

// How far an inherited cost may be off: two GPUs of one chip, of one compute capability, of one kind of
// memory.
inline constexpr double chip_spread = 0.1, architecture_spread = 0.25, memory_spread = 0.15;

// The GPU as if nobody knew what these probes find, "all" of them or one by one; its other facts stay. A fact
// that no rule carries over is what `files` say, the same GPU before anything was measured on it, or absent.
// Throws InputError: no fact is found by such a probe.
Gpu without_probes(Gpu gpu, std::span<const std::string> probes, const Gpu& files);

// The GPU with an estimate of every cost that it lacks. `donors`: GPUs with what is known about them; itself
// among them does not count.
Gpu with_estimates(Gpu gpu, std::span<const Gpu> donors);

} // namespace perfmodel
