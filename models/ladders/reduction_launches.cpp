#include "reduction_launches.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

namespace {

using Version = ReductionVersion;

// Of the vector version: loads of 16 bytes that a thread has in flight, and how often it has them at least,
// where a number takes 4 bytes.
constexpr std::int64_t vector_bytes = 16, vector_loads = 4, vector_trips = 2;

std::int64_t bytes_of(ReductionType type) { return static_cast<std::int64_t>(word_of(type).value); }

// What a block sums where there are blocks enough.
std::int64_t numbers_of_block(Version version, std::int64_t threads) {
  if (version == Version::vector) return threads * vector_bytes / 4 * vector_loads * vector_trips;
  return version >= Version::first_add ? 2 * threads : threads;
}

KernelArguments arguments_of(Version version, std::int64_t word, std::int64_t n, std::int64_t blocks) {
  if (gathers_in_last_block(version))
    return KernelArguments::from_text(
        fmt::format("in={}B,n={},partial={}B,arrived=4B,out={}B", word * n, n, word * blocks, word));
  return KernelArguments::from_text(fmt::format("in={}B,n={},out={}B", word * n, n, word * blocks));
}

// As the compiler writes the type of the numbers in a function's name; the least and the greatest are those
// of Extreme<false> and Extreme<true>.
std::string_view mangled(ReductionType type) {
  switch (type) {
  case ReductionType::int32:
    return "j";
  case ReductionType::fp32:
    return "f";
  case ReductionType::int64:
    return "y";
  case ReductionType::min:
    return "NS0_7ExtremeILb0EEE";
  case ReductionType::max:
    break;
  }
  return "NS0_7ExtremeILb1EEE";
}

} // namespace

std::string reduction_kernel(Version version, ReductionType type, std::int64_t threads) {
  const std::string_view of = mangled(type);
  switch (version) {
  case Version::interleaved:
    return fmt::format("sum_interleavedI{}E", of);
  case Version::strided_index:
    return fmt::format("sum_strided_indexI{}E", of);
  case Version::sequential:
    return fmt::format("sum_sequentialI{}E", of);
  case Version::first_add:
    return fmt::format("sum_first_addI{}E", of);
  case Version::warp_synchronous:
    return fmt::format("sum_warp_synchronousI{}E", of);
  case Version::unrolled_warp:
    return fmt::format("sum_unrolled_warpI{}E", of);
  case Version::unrolled:
    return fmt::format("sum_unrolledILj{}E{}E", threads, of);
  case Version::grid_stride:
    return fmt::format("sum_grid_strideILj{}E{}E", threads, of);
  case Version::shuffle:
    return fmt::format("sum_shuffleILj{}E{}E", threads, of);
  case Version::vector:
    break;
  }
  return fmt::format("sum_vectorILj{}ELj{}E{}E", threads, vector_loads, of);
}

std::uint64_t reduction_shared(Version version, ReductionType type, std::int64_t threads) {
  return version >= Version::shuffle ? 0 : static_cast<std::uint64_t>(bytes_of(type) * threads);
}

std::vector<ReductionPass> reduction_passes(Version version, std::int64_t threads, std::int64_t n,
                                            std::int64_t wave) {
  std::vector<ReductionPass> passes;
  const std::int64_t of_block = numbers_of_block(version, threads);
  do {
    std::int64_t blocks = std::max<std::int64_t>(1, (n + of_block - 1) / of_block);
    // One wave leaves so few sums that one block adds them up.
    if (has_any_grid(version)) blocks = passes.empty() ? std::min(blocks, wave) : 1;
    passes.push_back({n, blocks});
    n = blocks;
  } while (n > 1 && !gathers_in_last_block(version));
  return passes;
}

KernelLaunch reduction_launch(Version version, ReductionType type, std::int64_t threads,
                              const ReductionPass& pass) {
  return {.grid = {pass.blocks, 1, 1},
          .block = {threads, 1, 1},
          .dynamic_shared = reduction_shared(version, type, threads),
          .arguments = arguments_of(version, bytes_of(type), pass.n, pass.blocks)};
}

ReductionLoop reduction_loop(Version version, ReductionType type, std::int64_t threads, std::int64_t blocks) {
  if (!has_any_grid(version)) return {};
  if (version == Version::vector)
    return {.numbers = blocks * threads * vector_bytes / bytes_of(type) * vector_loads,
            .loads = vector_loads};
  return {.numbers = blocks * threads * 2, .loads = 2};
}

} // namespace perfmodel
