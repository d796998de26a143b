#include "matmul_dram.hpp"

#include "models/access/transactions.hpp"
#include "models/core/facts.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace perfmodel {

namespace {

// Different rows and columns of tiles in a group. `own_columns`: a column that a group shares with the one
// before counts to each by its part, where both find it in L2.
struct GroupTiles {
  double rows = 0, columns = 0, own_columns = 0;
};

GroupTiles tiles_of(const TileWalk& walk, std::int64_t first, std::int64_t end) {
  GroupTiles sum;
  for (std::int64_t at = first; at < end;) {
    const std::int64_t band = at / (walk.height * walk.across), top = band * walk.height;
    const std::int64_t high = std::min(walk.height, walk.down - top), from = at - top * walk.across;
    const std::int64_t count = std::min(end - at, high * walk.across - from);
    sum.rows += static_cast<double>(std::min(count, high));
    const std::int64_t left = from / high, right = (from + count - 1) / high;
    sum.columns += static_cast<double>(right - left + 1);
    sum.own_columns += static_cast<double>(count) / static_cast<double>(high);
    at += count;
  }
  // Where there are several bands, the part of the first ends at the last column, that of the next begins at
  // the first: they overlap only if they have all columns between them.
  sum.columns = std::min(sum.columns, static_cast<double>(walk.across));
  sum.own_columns = std::min(sum.own_columns, static_cast<double>(walk.across));
  return sum;
}

// What keeps a version from a prediction; empty: nothing.
std::string unpredicted(const Gpu& gpu, const MatmulRung& rung, double n) {
  if (!coalescing_rule(gpu, GlobalAccess::load, LoadCache::standard).cached)
    return "no L2: all transactions move";
  const auto l2 = gpu.find(facts::l2_size);
  if (l2 && n * n * (2 * rung.word + rung.out_word) <= l2->value.value)
    return "the matrices stay in L2 from launch to launch";
  return "";
}

TileWalk walk_of(const MatmulRung& rung, double n) {
  const auto parts = [&](std::int64_t part) {
    return std::llround(std::ceil(n / static_cast<double>(part)));
  };
  return {.down = parts(rung.rows * rung.cluster), .across = parts(rung.columns), .height = rung.height};
}

} // namespace

TimesRead times_read(const TileWalk& walk, std::int64_t first, std::int64_t group, double matrix,
                     double kept) {
  constexpr std::int64_t enough = 1 << 18;
  const auto down = static_cast<double>(walk.down), across = static_cast<double>(walk.across);
  if (matrix + matrix * std::min(static_cast<double>(walk.height), down) / down <= kept) return {1, 1};
  const std::int64_t tiles = walk.down * walk.across;
  const GroupTiles one = tiles_of(walk, 0, std::min(group, tiles));
  const bool next_finds = matrix * (one.rows / down + one.columns / across) <= kept;
  TimesRead times;
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < enough && at < tiles; ++i) {
    const std::int64_t end = std::min(tiles, at + (i == 0 ? first : group));
    const GroupTiles part = tiles_of(walk, at, end);
    times.a += part.rows / down;
    times.b += (next_finds ? part.own_columns : part.columns) / across;
    at = end;
  }
  const double all = static_cast<double>(tiles) / static_cast<double>(at);
  return {next_finds ? 1 : times.a * all, times.b * all};
}

template <class T>
Bytes matmul_dram_bytes(const Gpu& gpu, const MatmulRung& rung, double n, double resident, T& trace) {
  const std::string name(names(rung.version)[static_cast<std::size_t>(rung.version)]);
  const std::string symbol = fmt::format("dram_bytes({})", name);
  if (const std::string why = unpredicted(gpu, rung, n); !why.empty()) {
    trace.say(symbol, "left out", why);
    return Bytes{absent};
  }
  const double kept = value_of(trace.cost(gpu, facts::l2_shared_capacity)).value;
  const std::int64_t slots = std::llround(value_of(trace.fact(gpu, facts::sm_count))) / rung.cluster;
  const std::int64_t wave = slots * std::max<std::int64_t>(1, std::llround(resident));
  const TileWalk walk = walk_of(rung, n);
  const auto by = [&](std::int64_t group) { return times_read(walk, wave, group, n * n * rung.word, kept); };
  TimesRead times = by(slots);
  if (rung.version == MatmulVersion::naive) {
    constexpr double near = 1.1; // the mean is then 5 % from either
    const TimesRead together = by(wave);
    const auto bytes = [&](const TimesRead& t) { return (t.a + t.b) * n * n * rung.word; };
    const auto [least, most] = std::minmax({bytes(times), bytes(together)});
    if (most > near * least) {
      const auto text = [&](const TimesRead& t) { return format_quantity(bytes(t), unit_of<Bytes>()); };
      trace.say(symbol, "left out",
                fmt::format("{} are read where the {} blocks of a wave go through k in step, {} where {} do",
                            text(together), wave, text(times), slots));
      return Bytes{absent};
    }
    times = {(times.a + together.a) / 2, (times.b + together.b) / 2};
  }
  const auto side = trace.input("n", n);
  const auto read = trace.define(
      fmt::format("read({})", name),
      fmt::format("A as often as the first number says, B as the second, by groups of {} {}", slots,
                  rung.cluster > 1 ? "clusters" : "blocks"),
      (trace.number(times.a) + trace.number(times.b)) * side * side * trace.number(Bytes{rung.word}));
  return value_of(trace.define(symbol, "read, and C written once",
                               read + side * side * trace.number(Bytes{rung.out_word})));
}

template Bytes matmul_dram_bytes(const Gpu&, const MatmulRung&, double, double, Plain&);
template Bytes matmul_dram_bytes(const Gpu&, const MatmulRung&, double, double, Recorder&);

} // namespace perfmodel
