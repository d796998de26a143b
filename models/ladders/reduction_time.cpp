#include "reduction_time.hpp"

#include "ladder_question.hpp"
#include "long_loop.hpp"
#include "reduction_launches.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/concurrency/occupancy.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"
#include "models/kernel/known_kernels.hpp"
#include "models/machine/caches.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

// One pass at a time, of one version.
class Passes {
public:
  Passes(const Gpu& gpu, ReductionVersion version, const Reduction::Input& in)
      : gpu_(gpu), version_(version), type_(in.type), view_(in.view),
        threads_(static_cast<std::int64_t>(in.threads)),
        code_(known_kernel("reduction", reduction_kernel(version, in.type, threads_), gpu.capability())) {}

  const KernelCode& code() const { return code_; }
  Count resident() const {
    return occupancy(gpu_, {.threads_per_block = static_cast<Count>(threads_),
                            .registers_per_thread = static_cast<Count>(*code_.registers),
                            .shared_per_block = Bytes(static_cast<double>(
                                *code_.shared + reduction_shared(version_, type_, threads_)))})
        .blocks;
  }

  template <class T> KernelTime time(const ReductionPass& pass, T& trace) const {
    KernelTime found = unbounded(pass, trace);
    // What is left to chance, which bank a read meets, evens out: no more comes than all banks deliver.
    const Seconds least = found.dram_read / value_of(read_bandwidth(gpu_, trace));
    found.time = std::max(found.time, least);
    for (KernelTime::Instead& one : found.instead)
      if (one.what != WhatIf::all_in_l2) one.time = std::max(one.time, least);
    return found;
  }

private:
  template <class T> KernelTime unbounded(const ReductionPass& pass, T& trace) const {
    const ReductionLoop loop = reduction_loop(version_, type_, threads_, pass.blocks);
    if (loop.numbers == 0) return simulated(pass, trace);
    // Of a thread, until its loop is in its swing; and longer than what L2 may keep.
    constexpr std::int64_t least_loads = 128;
    const Bytes kept{
        has_l2(gpu_) && gpu_.has_cost(facts::l2_size) ? value_of(trace.cost(gpu_, facts::l2_size)).value : 0};
    const std::int64_t trips = std::max(
        least_loads / loop.loads,
        static_cast<std::int64_t>(std::ceil(kept / (static_cast<double>(loop.numbers) * word_of(type_)))));
    Unexplained<T> other(trace);
    return long_loop_time(
        pass.n, loop.numbers, trips,
        [&](std::int64_t n) {
          return simulated({n, pass.blocks}, trace);
        },
        [&](std::int64_t n) {
          return simulated({n, pass.blocks}, other.plain);
        });
  }
  template <class T> KernelTime simulated(const ReductionPass& pass, T& trace) const {
    const KernelLaunch launch = reduction_launch(version_, type_, threads_, pass);
    // One sum after another; a block that counts itself is not the last, but for one.
    KernelQuestion question = ladder_question(code_, launch, RungViews{view_}.simulated());
    question.data = {.branches = Unknown::taken};
    if (gathers_in_last_block(version_)) question.last_block = LoadedData{.branches = Unknown::skipped};
    return kernel_time(gpu_, question, trace);
  }

  const Gpu& gpu_;
  ReductionVersion version_;
  ReductionType type_;
  RungView view_;
  std::int64_t threads_;
  const KernelCode& code_;
};

} // namespace

template <class First, class T>
ReductionTime reduction_time(const Gpu& gpu, ReductionVersion version, const Reduction::Input& in,
                             First& first, T& trace) {
  const Passes passes(gpu, version, in);
  ReductionTime sum{.resident = passes.resident()};
  sum.code = &passes.code();
  const Count wave = in.blocks ? value_of(trace.input("blocks", *in.blocks))
                               : sum.resident * value_of(trace.fact(gpu, facts::sm_count));
  for (const ReductionPass& pass :
       reduction_passes(version, static_cast<std::int64_t>(in.threads), static_cast<std::int64_t>(in.n),
                        static_cast<std::int64_t>(wave))) {
    const KernelTime t = sum.passes == 0 ? passes.time(pass, first) : passes.time(pass, trace);
    if (sum.passes == 0) sum.blocks = t.blocks, sum.bound = t.bound, sum.first = t;
    sum.time = sum.time + t.time;
    sum.sectors += t.counts.load_sectors;
    sum.wavefronts += t.counts.shared_wavefronts;
    sum.instructions += t.counts.instructions;
    sum.dram_bytes = sum.dram_bytes + t.dram_read;
    sum.passes += 1;
  }
  return sum;
}

template ReductionTime reduction_time(const Gpu&, ReductionVersion, const Reduction::Input&, Plain&, Plain&);
template ReductionTime reduction_time(const Gpu&, ReductionVersion, const Reduction::Input&, Recorder&,
                                      Plain&);

} // namespace perfmodel
