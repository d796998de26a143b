#include "coalescing_launch.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

#include <algorithm>

namespace perfmodel {

template <class T> KernelTime coalescing_launch(const Gpu& gpu, const Coalescing::Input& in, T& trace) {
  if (!in.index.empty() || !in.condition.empty() || in.path != ReadPath::global ||
      in.cache != LoadCache::standard)
    throw InputError("--ilp simulates plain accesses by stride, offset and permutation; of other kernels "
                     "'perfmodel kernel' tells the time");
  struct Order {
    int factor, addend;
  };
  constexpr Order orders[] = {{1, 0}, {31, 31}, {5, 3}}; // of each Permutation
  const Order order = orders[static_cast<std::size_t>(in.permutation)];
  const PatternKernel pattern{.threads = static_cast<int>(in.block.count()),
                              .words = static_cast<int>(*in.ilp),
                              .word = static_cast<int>(in.word.value),
                              .loads = in.access != GlobalAccess::store,
                              .stores = in.access != GlobalAccess::load,
                              .stride = static_cast<std::int64_t>(in.stride),
                              .offset = static_cast<std::int64_t>(in.offset),
                              .factor = order.factor,
                              .addend = order.addend};
  constexpr std::int64_t gibibyte = std::int64_t{1} << 30;
  const std::int64_t block_bytes = std::int64_t{pattern.threads} * pattern.words * pattern.word *
                                   std::max<std::int64_t>(pattern.stride, 1);
  const std::int64_t blocks =
      in.grid ? in.grid->count()
              : std::max(gibibyte / block_bytes,
                         20 * static_cast<std::int64_t>(value_of(trace.fact(gpu, facts::sm_count))));
  return pattern_time(gpu, pattern, blocks, 0, trace);
}

template KernelTime coalescing_launch(const Gpu&, const Coalescing::Input&, Plain&);
template KernelTime coalescing_launch(const Gpu&, const Coalescing::Input&, Recorder&);

} // namespace perfmodel
