#include "coalescing_launch.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
  // Words that a block has and passes by, as far as 32 bits number them.
  constexpr double gibibyte = 1073741824, most = 4294967295;
  const double words = static_cast<double>(in.block.count()) * *in.ilp * std::max(1.0, in.stride);
  const Count fit = std::floor((most - in.offset) / words);
  const Count blocks = in.grid ? static_cast<Count>(in.grid->count())
                               : std::min(fit, std::max(std::floor(gibibyte / (words * in.word.value)),
                                                        20 * value_of(trace.fact(gpu, facts::sm_count))));
  if (fit < std::max(1.0, blocks))
    throw InputError(
        fmt::format("--ilp simulates threads that number words in 32 bits, which holds {:g} blocks "
                    "with this stride and offset",
                    std::max(0.0, fit)));
  const PatternKernel pattern{.threads = within_reach(static_cast<Count>(in.block.count())),
                              .words = within_reach(*in.ilp),
                              .word = static_cast<int>(in.word.value),
                              .loads = in.access != GlobalAccess::store,
                              .stores = in.access != GlobalAccess::load,
                              .stride = static_cast<std::int64_t>(in.stride),
                              .offset = static_cast<std::int64_t>(in.offset),
                              .factor = order.factor,
                              .addend = order.addend};
  return pattern_time(gpu, pattern, static_cast<std::int64_t>(blocks), 0, trace);
}

template KernelTime coalescing_launch(const Gpu&, const Coalescing::Input&, Plain&);
template KernelTime coalescing_launch(const Gpu&, const Coalescing::Input&, Recorder&);

} // namespace perfmodel
