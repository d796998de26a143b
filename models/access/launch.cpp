#include "launch.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace perfmodel {

namespace {

// What differs from thread to thread, in the order of `names`.
enum Variable : std::size_t { tid, lane, warp, x, y, z, bx, by, bz, row, col, gid, i, variable_count };
constexpr std::array<std::string_view, variable_count> names{"tid", "lane", "warp", "x",   "y",   "z", "bx",
                                                             "by",  "bz",   "row",  "col", "gid", "i"};

// Some ten seconds of walking.
constexpr double most_threads = 4294967296;

// `let`, and the sides under their names.
Bindings constants(Shape block, Shape grid, const Bindings& let) {
  const Bindings sides{
      {{"dx", block.x}, {"dy", block.y}, {"dz", block.z}, {"gx", grid.x}, {"gy", grid.y}, {"gz", grid.z}}};
  std::vector<std::string_view> taken(names.begin(), names.end());
  for (const auto& [name, value] : sides.values) taken.push_back(name);
  try {
    refuse_shadows(taken, let);
  } catch (const InputError& e) {
    throw InputError(fmt::format("--let: {}", e.what()));
  }
  Bindings all = let;
  all.values.insert(all.values.end(), sides.values.begin(), sides.values.end());
  return all;
}

double product(Shape a) {
  return static_cast<double>(a.x) * static_cast<double>(a.y) * static_cast<double>(a.z);
}

std::size_t threads_of(const WarpView& warp) { return static_cast<std::size_t>(std::bit_width(warp.live)); }

std::uint32_t mask_of(const std::int64_t* zero_or_one, std::size_t count) {
  std::uint64_t mask = 0;
  for (std::size_t l = 0; l < count; ++l) mask |= static_cast<std::uint64_t>(zero_or_one[l]) << l;
  return static_cast<std::uint32_t>(mask);
}

} // namespace

LaunchWalk::LaunchWalk(Shape block, Shape grid, const Bindings& let)
    : block_(block), grid_(grid), constants_(constants(block, grid, let)) {
  if (const double threads = product(block) * product(grid); threads > most_threads)
    throw InputError(fmt::format("a launch of {} blocks of {} threads: at most 2^32 threads are walked",
                                 grid.text(), block.text()));
  threads_per_block_ = block.count();
  warps_per_block_ = (threads_per_block_ + 31) / 32;
  blocks_ = grid.count();
  used_.assign(variable_count, false);
  const auto padded = static_cast<std::size_t>(warps_per_block_) * warp_lanes;
  for (auto* side : {&x_, &y_, &z_}) side->assign(padded, 0);
  std::size_t t = 0;
  for (std::int64_t tz = 0; tz < block.z; ++tz)
    for (std::int64_t ty = 0; ty < block.y; ++ty)
      for (std::int64_t tx = 0; tx < block.x; ++tx, ++t) {
        x_[t] = tx;
        y_[t] = ty;
        z_[t] = tz;
      }
}

LaunchWalk::Named LaunchWalk::compile(const Expression& expression, std::string_view option) const {
  try {
    return {Program(expression, names, constants_), std::string(option),
            std::vector<std::int64_t>(chunk_lanes + warp_lanes)};
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", option, e.what()));
  }
}

void LaunchWalk::guard_by(const Expression& predicate, std::string_view option) {
  if (!predicate.empty()) guard_ = compile(predicate, option);
}

std::size_t LaunchWalk::add(const Expression& expression, std::string_view option) {
  programs_.push_back(compile(expression, option));
  return programs_.size() - 1;
}

void LaunchWalk::start(std::int64_t iteration) {
  iteration_ = iteration;
  at_ = {0, 0, 0};
  block_at_ = warp_at_ = 0;
  for (std::size_t v = 0; v < variable_count; ++v) {
    used_[v] = guard_ && guard_->program.uses(v);
    for (const Named& p : programs_) used_[v] = used_[v] || p.program.uses(v);
  }
  lanes_.assign(variable_count, {});
  variables_.assign(variable_count, nullptr);
  for (std::size_t v = 0; v < variable_count; ++v)
    if (used_[v]) {
      lanes_[v].assign(chunk_lanes, v == i ? iteration : 0);
      variables_[v] = lanes_[v].data();
    }
  first_.clear();
  for (const Named& p : programs_) first_.push_back(p.values.data());
}

void LaunchWalk::place_warps() {
  chunk_.clear();
  blocks_of_chunk_.clear();
  lanes_of_chunk_ = 0;
  while (block_at_ < blocks_ && lanes_of_chunk_ + warp_lanes <= chunk_lanes) {
    const auto threads = std::min<std::int64_t>(threads_per_block_ - warp_at_ * 32, 32);
    const std::uint32_t live = ~std::uint32_t{0} >> (32 - threads);
    chunk_.push_back({.block = block_at_,
                      .warp = warp_at_,
                      .live = live,
                      .active = live,
                      .programs = first_.data(),
                      .first_lane = lanes_of_chunk_});
    blocks_of_chunk_.push_back(at_);
    lanes_of_chunk_ += static_cast<std::size_t>(threads);
    if (++warp_at_ < warps_per_block_) continue;
    warp_at_ = 0;
    ++block_at_;
    if (++at_.x < grid_.x) continue;
    at_.x = 0;
    if (++at_.y < grid_.y) continue;
    at_.y = 0;
    ++at_.z;
  }
}

void LaunchWalk::fill() {
  // value(warp, its block, thread of the block, lane)
  const auto set = [&](Variable v, auto value) {
    if (!used_[v]) return;
    auto block = blocks_of_chunk_.begin();
    for (const WarpView& view : chunk_) {
      const auto at = *block++;
      const auto t0 = static_cast<std::size_t>(view.warp) * warp_lanes;
      std::int64_t* const out = lanes_[v].data() + view.first_lane;
      const auto fill_lanes = [&](std::size_t count) {
        for (std::size_t l = 0; l < count; ++l) out[l] = value(view, at, t0 + l, l);
      };
      if (view.live == ~std::uint32_t{0})
        fill_lanes(warp_lanes); // of a length that the compiler knows
      else
        fill_lanes(threads_of(view));
    }
  };
  const auto number = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  using W = const WarpView&;
  using N = std::size_t;
  set(tid, [&](W, Shape, N t, N) { return number(t); });
  set(lane, [&](W, Shape, N, N l) { return number(l); });
  set(warp, [&](W w, Shape, N, N) { return w.warp; });
  set(x, [&](W, Shape, N t, N) { return x_[t]; });
  set(y, [&](W, Shape, N t, N) { return y_[t]; });
  set(z, [&](W, Shape, N t, N) { return z_[t]; });
  set(bx, [&](W, Shape at, N, N) { return at.x; });
  set(by, [&](W, Shape at, N, N) { return at.y; });
  set(bz, [&](W, Shape at, N, N) { return at.z; });
  set(row, [&](W, Shape at, N t, N) { return at.y * block_.y + y_[t]; });
  set(col, [&](W, Shape at, N t, N) { return at.x * block_.x + x_[t]; });
  set(gid, [&](W w, Shape, N t, N) { return w.block * threads_per_block_ + number(t); });
}

bool LaunchWalk::next_chunk() {
  place_warps();
  if (chunk_.empty()) return false;
  fill();
  const std::int64_t* mask = nullptr;
  if (guard_) {
    evaluate(*guard_, nullptr);
    // Any number that is not 0 is true.
    for (std::size_t l = 0; l < lanes_of_chunk_; ++l)
      guard_->values[l] = static_cast<std::int64_t>(guard_->values[l] != 0);
    mask = guard_->values.data();
    for (WarpView& view : chunk_) view.active = mask_of(mask + view.first_lane, threads_of(view));
  }
  for (Named& p : programs_) evaluate(p, mask);
  return true;
}

void LaunchWalk::evaluate(Named& named, const std::int64_t* mask) {
  const std::span<std::int64_t> out(named.values.data(), lanes_of_chunk_);
  const auto fault = named.program.evaluate(variables_, mask, out);
  if (!fault) return;
  const WarpView& view = *std::find_if(chunk_.rbegin(), chunk_.rend(), [&](const WarpView& candidate) {
    return candidate.first_lane <= fault->lane;
  });
  const auto t = static_cast<std::size_t>(view.warp) * warp_lanes + fault->lane - view.first_lane;
  std::string place =
      fmt::format("thread ({},{},{}) of block ({},{},{})", x_[t], y_[t], z_[t], view.block % grid_.x,
                  view.block / grid_.x % grid_.y, view.block / (grid_.x * grid_.y));
  if (used_[i]) place += fmt::format(" at i = {}", iteration_);
  Bindings let = constants_; // the sides stand behind
  let.values.resize(let.values.size() - 6);
  if (!let.values.empty()) place += " where " + let.text();
  throw InputError(fmt::format("{}: column {}: {} in {}", named.option, fault->column, fault->what, place));
}

void check_block(const Gpu& gpu, Shape block) {
  const double most = gpu.at(facts::max_threads_per_block).value;
  if (product(block) > most)
    throw InputError(fmt::format("--block {}: {:.0f} threads, but a block of {} has at most {:.0f}",
                                 block.text(), product(block), gpu.name, most));
  if (const double z = gpu.at(facts::max_block_z).value; static_cast<double>(block.z) > z)
    throw InputError(fmt::format("--block {}: the third side of a block of {} is at most {:.0f}",
                                 block.text(), gpu.name, z));
}

void check_grid(const Gpu& gpu, Shape grid) {
  const double x = gpu.at(facts::max_grid_x).value, y = gpu.at(facts::max_grid_y).value,
               z = gpu.at(facts::max_grid_z).value;
  if (static_cast<double>(grid.x) > x || static_cast<double>(grid.y) > y || static_cast<double>(grid.z) > z)
    throw InputError(fmt::format("--grid {}: a grid of {} has at most {:.0f} x {:.0f} x {:.0f} blocks",
                                 grid.text(), gpu.name, x, y, z));
}

} // namespace perfmodel
