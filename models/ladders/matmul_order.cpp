#include "matmul_order.hpp"

#include "matmul_cost.hpp"

#include "models/core/in_words.hpp"
#include "models/machine/caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

std::string change_text(WhatIf what) { return std::string(names(what)[static_cast<std::size_t>(what)]); }

MatmulHelp help_of(const Gpu& gpu, MatmulVersion version, const MatmulCost& cost) {
  std::vector<KernelTime::Instead> instead;
  if (cost.time == cost.launch.time) // else it is not the launch as simulated that takes this time
    instead = cost.launch.instead;
  if (!has_l2(gpu))
    instead.erase(std::remove_if(instead.begin(), instead.end(),
                                 [](const auto& one) { return one.what == WhatIf::all_in_l2; }),
                  instead.end());
  std::stable_sort(instead.begin(), instead.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
  MatmulHelp row{.version = std::string(names(version)[static_cast<std::size_t>(version)]),
                 .time = cost.time,
                 .bound = cost.bound,
                 .change = {},
                 .second_change = {}};
  if (instead.size() < 2) return row;
  row.change = change_text(instead[0].what);
  row.gain = cost.launch.time / instead[0].time;
  row.second_change = change_text(instead[1].what);
  row.second_gain = cost.launch.time / instead[1].time;
  return row;
}

} // namespace

template <class T>
MatmulOrder matmul_order(const Gpu& gpu, Count n, Shape block, std::int64_t tile, T& trace) {
  using V = MatmulVersion;
  MatmulOrder order;
  Unexplained<T> other(trace);
  for (const V version : {V::naive, V::tiled, V::register_tiled}) {
    const MatmulRung rung = matmul_rung(version, tile, block);
    if (!matmul_refused(gpu, rung).empty()) continue;
    const MatmulCost cost = order.helps.empty() ? matmul_cost(gpu, rung, n, {.what_if = true}, trace)
                                                : matmul_cost(gpu, rung, n, {.what_if = true}, other.plain);
    if (!order.helps.empty()) order.helps.back().next_version = order.helps.back().time / cost.time;
    order.helps.push_back(help_of(gpu, version, cost));
  }
  const auto fixed = [&](V version, std::int64_t side) -> FixedKernel {
    const MatmulCost cost = matmul_cost(gpu, matmul_rung(version, side, {side, side, 1}), n, {}, other.plain);
    return {cost.time, cost.bound};
  };
  constexpr std::int64_t small = 4, large = 16;
  order.orders = fix_orders({"larger blocks", fixed(V::naive, large)},
                            {"tiles in shared memory", fixed(V::tiled, small)}, fixed(V::naive, small),
                            fixed(V::tiled, large));
  return order;
}

std::string order_in_words(const MatmulOrder& order) {
  const FixOrder &blocks = order.orders.at(0), &tiles = order.orders.at(1);
  std::string text = fmt::format(
      "From blocks of 4 x 4: larger blocks gain {} times first and {} after tiles, tiles {} first and {} "
      "after",
      in_words(blocks.first_gain), in_words(tiles.second_gain), in_words(tiles.first_gain),
      in_words(blocks.second_gain));
  constexpr double worth_telling = 1.02;
  if (order.helps.empty() || !(order.helps.back().gain > worth_telling)) return text + ".";
  const MatmulHelp& last = order.helps.back();
  return text + fmt::format(". {} would gain most by '{}', {} times.", last.version, last.change,
                            in_words(last.gain));
}

template MatmulOrder matmul_order(const Gpu&, Count, Shape, std::int64_t, Plain&);
template MatmulOrder matmul_order(const Gpu&, Count, Shape, std::int64_t, Recorder&);

} // namespace perfmodel
