#include "launch.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

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

std::uint32_t mask_of(const std::int64_t* zero_or_one) {
  std::uint64_t mask = 0;
  for (std::size_t l = 0; l < warp_lanes; ++l) mask |= static_cast<std::uint64_t>(zero_or_one[l]) << l;
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
            std::vector<std::int64_t>(chunk_warps * warp_lanes)};
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
      lanes_[v].assign(chunk_warps * warp_lanes, v == i ? iteration : 0);
      variables_[v] = lanes_[v].data();
    }
  first_.clear();
  for (const Named& p : programs_) first_.push_back(p.values.data());
  live_.assign(chunk_warps * warp_lanes, 0);
  chunk_.reserve(chunk_warps);
}

void LaunchWalk::fill(std::size_t first) {
  const auto t0 = static_cast<std::size_t>(warp_at_) * warp_lanes;
  const auto set = [&](Variable v, auto value) {
    if (!used_[v]) return;
    std::int64_t* const out = lanes_[v].data() + first;
    for (std::size_t l = 0; l < warp_lanes; ++l) out[l] = value(l);
  };
  const auto number = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  set(tid, [&](std::size_t l) { return number(t0 + l); });
  set(lane, number);
  set(warp, [&](std::size_t) { return warp_at_; });
  set(x, [&](std::size_t l) { return x_[t0 + l]; });
  set(y, [&](std::size_t l) { return y_[t0 + l]; });
  set(z, [&](std::size_t l) { return z_[t0 + l]; });
  set(bx, [&](std::size_t) { return at_.x; });
  set(by, [&](std::size_t) { return at_.y; });
  set(bz, [&](std::size_t) { return at_.z; });
  set(row, [&, above = at_.y * block_.y](std::size_t l) { return above + y_[t0 + l]; });
  set(col, [&, left = at_.x * block_.x](std::size_t l) { return left + x_[t0 + l]; });
  set(gid, [&, before = block_at_ * threads_per_block_](std::size_t l) { return before + number(t0 + l); });
}

bool LaunchWalk::next_chunk() {
  chunk_.clear();
  bool padded = false;
  for (std::size_t w = 0; w < chunk_warps && block_at_ < blocks_; ++w) {
    const std::size_t first = w * warp_lanes;
    const auto threads = std::min<std::int64_t>(threads_per_block_ - warp_at_ * 32, 32);
    const std::uint32_t live = ~std::uint32_t{0} >> (32 - threads);
    padded = padded || threads < 32;
    for (std::size_t l = 0; l < warp_lanes; ++l) live_[first + l] = live >> l & 1;
    fill(first);
    WarpView view{.block = block_at_, .warp = warp_at_, .live = live, .active = live};
    view.programs = first_.data();
    view.first_lane = first;
    chunk_.push_back(view);
    if (++warp_at_ < warps_per_block_) continue;
    warp_at_ = 0;
    ++block_at_;
    if (++at_.x < grid_.x) continue;
    at_.x = 0;
    if (++at_.y < grid_.y) continue;
    at_.y = 0;
    ++at_.z;
  }
  if (chunk_.empty()) return false;
  const std::int64_t* mask = padded ? live_.data() : nullptr;
  if (guard_) {
    evaluate(*guard_, mask);
    // Any number that is not 0 is true; lanes without a thread have none.
    for (std::size_t l = 0; l < chunk_.size() * warp_lanes; ++l)
      guard_->values[l] = static_cast<std::int64_t>(guard_->values[l] != 0) & live_[l];
    mask = guard_->values.data();
    for (WarpView& view : chunk_) view.active = mask_of(mask + view.first_lane);
  }
  for (Named& p : programs_) evaluate(p, mask);
  return true;
}

void LaunchWalk::evaluate(Named& named, const std::int64_t* mask) {
  const std::span<std::int64_t> out(named.values.data(), chunk_.size() * warp_lanes);
  const auto fault = named.program.evaluate(variables_, mask, out);
  if (!fault) return;
  const WarpView& view = chunk_[fault->lane / warp_lanes];
  const auto t = static_cast<std::size_t>(view.warp) * warp_lanes + fault->lane % warp_lanes;
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
