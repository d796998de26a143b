#include "matmul_choices.hpp"

#include "matmul_cost.hpp"

#include "models/core/in_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

constexpr Shape offered_blocks[] = {{16, 16}, {32, 8}};
constexpr std::int64_t offered_tiles[] = {4, 8, 12, 16, 32};

std::vector<MatmulRung> rungs_of(std::optional<MatmulVersion> only, Shape block, std::int64_t tile) {
  std::vector<MatmulRung> rungs;
  if (only.value_or(MatmulVersion::naive) == MatmulVersion::naive) {
    std::vector<Shape> shapes(std::begin(offered_blocks), std::end(offered_blocks));
    if (std::find(shapes.begin(), shapes.end(), block) == shapes.end()) shapes.push_back(block);
    for (const Shape& shape : shapes) rungs.push_back(matmul_rung(MatmulVersion::naive, 1, shape));
  }
  if (only.value_or(MatmulVersion::tiled) == MatmulVersion::tiled) {
    std::vector<std::int64_t> sides(std::begin(offered_tiles), std::end(offered_tiles));
    if (std::find(sides.begin(), sides.end(), tile) == sides.end()) sides.push_back(tile);
    std::sort(sides.begin(), sides.end());
    for (const std::int64_t side : sides)
      rungs.push_back(matmul_rung(MatmulVersion::tiled, side, {side, side, 1}));
  }
  return rungs;
}

} // namespace

template <class T>
std::vector<MatmulChoice> matmul_choices(const Gpu& gpu, Count n, std::optional<MatmulVersion> only,
                                         Shape block, std::int64_t tile, T& trace) {
  std::vector<MatmulChoice> rows;
  Unexplained<T> other(trace);
  bool first = true;
  double best = 0;
  for (const MatmulRung& rung : rungs_of(only, block, tile)) {
    MatmulChoice row{.version = std::string(names(rung.version)[static_cast<std::size_t>(rung.version)]),
                     .block = fmt::format("{}x{}", rung.columns, rung.rows),
                     .threads = static_cast<Count>(rung.threads),
                     .shared = Bytes{rung.shared > 0 ? rung.shared : absent},
                     .limiter = {},
                     .bound = matmul_refused(gpu, rung)};
    if (row.bound.empty()) {
      const MatmulCost cost =
          first ? matmul_cost(gpu, rung, n, {}, trace) : matmul_cost(gpu, rung, n, {}, other.plain);
      first = false;
      row.resident = cost.launch.resident;
      row.occupancy = cost.launch.occupancy.occupancy;
      row.limiter = cost.launch.occupancy.binding();
      row.time = cost.time;
      row.rate = Flops(2 * n * n * n) / cost.time;
      row.bound = cost.bound;
      best = std::max(best, row.rate.value);
    }
    rows.push_back(std::move(row));
  }
  for (MatmulChoice& row : rows) row.of_best = row.rate.value / best;
  return rows;
}

std::string choices_in_words(const std::vector<MatmulChoice>& rows) {
  const auto best = [&](std::string_view version) {
    const MatmulChoice* found = nullptr;
    for (const MatmulChoice& row : rows)
      if (row.version == version && row.resident > 0 && (found == nullptr || row.rate > found->rate))
        found = &row;
    return found;
  };
  const MatmulChoice *naive = best("naive"), *tiled = best("tiled");
  if (naive == nullptr && tiled == nullptr) return "None of these blocks runs there.";
  const MatmulChoice& most =
      tiled == nullptr || (naive != nullptr && naive->rate > tiled->rate) ? *naive : *tiled;
  std::string text = fmt::format("Best: {} in blocks of {}, {} at {} occupancy, bound by {}.", most.version,
                                 most.block, in_words(most.rate), in_percent(most.occupancy), most.bound);
  if (naive != nullptr && tiled != nullptr) {
    const MatmulChoice& rest = &most == naive ? *tiled : *naive;
    text += fmt::format(" The best {} is {}, {} times as slow.", rest.version, rest.block,
                        in_words(most.rate / rest.rate));
  }
  return text;
}

template std::vector<MatmulChoice> matmul_choices(const Gpu&, Count, std::optional<MatmulVersion>, Shape,
                                                  std::int64_t, Plain&);
template std::vector<MatmulChoice> matmul_choices(const Gpu&, Count, std::optional<MatmulVersion>, Shape,
                                                  std::int64_t, Recorder&);

} // namespace perfmodel
