#include "matmul_barriers.hpp"

#include "barrier_races.hpp"
#include "matmul_launches.hpp"

#include "models/core/in_words.hpp"
#include "models/kernel/known_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

// "0 to 13": from the first to the last row with a wrong element; "" without one.
std::string wrong_rows(const RaceResult& result, std::int64_t tile) {
  std::int64_t first = tile, last = -1;
  for (std::size_t thread = 0; thread < result.wrong.size(); ++thread) {
    if (!result.wrong[thread]) continue;
    const std::int64_t row = static_cast<std::int64_t>(thread) / tile;
    first = std::min(first, row);
    last = std::max(last, row);
  }
  if (last < 0) return "none";
  return first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last);
}

} // namespace

std::vector<MatmulBarrier> matmul_barriers(const Gpu& gpu, const MatmulRung& rung, Count n) {
  constexpr std::int64_t phases = 4;
  constexpr double lanes_go_apart = 7.0; // the compute capability
  const std::int64_t tile = rung.depth, side = std::min(static_cast<std::int64_t>(n), phases * tile);
  const KernelLaunch launch = matmul_launch(rung, side);
  const SharedReplay replay(
      known_kernel("matmul", matmul_kernel(rung, side, gpu.capability()), gpu.capability()), launch, 0);
  struct Case {
    const char *left_out, *race;
    OmittedBarriers barriers;
  };
  const Case cases[] = {{"neither", "none", {}},
                        {"after loading", "read before it is written", {.behind_stores = true}},
                        {"after use", "overwritten before it is read", {.behind_loads = true}},
                        {"both", "both", {true, true}}};
  std::vector<MatmulBarrier> rows;
  for (const Case& one : cases) {
    const RaceResult together = replay.without(one.barriers, false);
    MatmulBarrier row{.left_out = one.left_out,
                      .race = one.race,
                      .block_warps = static_cast<Count>(launch.warps()),
                      .wrong = static_cast<double>(together.wrong_threads()),
                      .of = static_cast<double>(std::min(tile, side) * std::min(tile, side)),
                      .rows = wrong_rows(together, tile),
                      .wrong_words = static_cast<double>(together.wrong_loads)};
    if (gpu.capability() >= lanes_go_apart)
      row.wrong_apart = static_cast<double>(replay.without(one.barriers, true).wrong_threads());
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string barriers_in_words(const std::vector<MatmulBarrier>& rows) {
  const MatmulBarrier &loading = rows.at(1), &use = rows.at(2);
  if (loading.wrong == 0 && use.wrong == 0)
    return std::isnan(loading.wrong_apart)
               ? "A block of one warp, whose lanes go together, needs neither barrier."
               : fmt::format(
                     "A block of one warp breaks only where its lanes go apart, as they may from cc 7.0 "
                     "on: then up to {} of {} elements are wrong.",
                     in_words(std::max(loading.wrong_apart, use.wrong_apart)), in_words(loading.of));
  return fmt::format(
      "Without the barrier after loading up to {} of {} elements of a block are wrong, read "
      "before they were written; without that after use {}, overwritten before they were read.",
      in_words(loading.wrong), in_words(loading.of), in_words(use.wrong));
}

} // namespace perfmodel
