#include "divergence_question.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <bit>

namespace perfmodel {

namespace {

// The tree of log2(threads) steps in which half of the threads that added last add again.
DivergenceQuestion reduction(DivergentKernel kernel, Shape block) {
  const auto threads = static_cast<std::uint64_t>(block.count());
  if (block.x != block.count() || !std::has_single_bit(threads) || threads < 2)
    throw InputError(fmt::format(
        "--block {}: a reduction's block is a power of two of threads in x, from 2 on", block.text()));
  const char* predicate = kernel == DivergentKernel::reduction_interleaved ? "tid % (2 << i) == 0"
                          : kernel == DivergentKernel::reduction_strided   ? "(2 << i) * tid < dx"
                                                                           : "tid < dx >> (i + 1)";
  return {.name = predicate,
          .branching = {.predicate = Expression::from_text(predicate),
                        .path = {},
                        .trips = {},
                        .otherwise = false},
          .steps = std::countr_zero(threads)};
}

} // namespace

DivergenceQuestion divergence_question(const Divergence::Input& in) {
  if (in.kernel) return reduction(*in.kernel, in.block);
  DivergenceQuestion q{.name = {},
                       .branching = {in.predicate, in.path, in.trips,
                                     in.otherwise == Otherwise::work && !in.predicate.empty()},
                       .steps = static_cast<std::int64_t>(in.steps)};
  const auto add = [&](const char* word, const Expression& e) {
    if (!e.empty()) q.name += fmt::format("{}{} {}", q.name.empty() ? "" : ", ", word, e.text());
  };
  add("if", in.predicate);
  add("path", in.path);
  add("trips", in.trips);
  return q;
}

} // namespace perfmodel
