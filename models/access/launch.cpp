#include "launch.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace perfmodel {

namespace {

// What differs from thread to thread, in the order of `variable_names`.
enum Variable : std::size_t { tid, lane, warp, x, y, z, bx, by, bz, row, col, gid, i, variable_count };
constexpr std::array<std::string_view, variable_count> variable_names{
    "tid", "lane", "warp", "x", "y", "z", "bx", "by", "bz", "row", "col", "gid", "i"};

// Some ten seconds of walking.
constexpr double most_threads = 4294967296;

// `let`, and the sides under their names.
Bindings constants(Shape block, Shape grid, const Bindings& let) {
  const Bindings sides{
      {{"dx", block.x}, {"dy", block.y}, {"dz", block.z}, {"gx", grid.x}, {"gy", grid.y}, {"gz", grid.z}}};
  std::vector<std::string_view> taken(variable_names.begin(), variable_names.end());
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
}

LaunchWalk::Named LaunchWalk::compile(const Expression& expression, std::string_view option) const {
  try {
    return {Program(expression, variable_names, constants_), std::string(option),
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

// What blocks have in common is written here, once for all chunks.
void LaunchWalk::start(std::int64_t iteration) {
  iteration_ = iteration;
  thread_at_ = 0;
  lanes_of_chunk_ = 0;
  for (std::size_t v = 0; v < variable_count; ++v) {
    used_[v] = guard_ && guard_->program.uses(v);
    for (const Named& p : programs_) used_[v] = used_[v] || p.program.uses(v);
  }
  first_.clear();
  for (const Named& p : programs_) first_.push_back(p.values.data());
  lanes_.assign(variable_count, {});
  variables_.assign(variable_count, nullptr);
  for (const Variable v : {bx, by, bz, row, col, gid}) {
    lanes_[v].resize(chunk_lanes);
    variables_[v] = lanes_[v].data();
  }
  const auto set = [&](Variable v, bool used, auto value) {
    if (!used) return;
    lanes_[v].resize(std::max(chunk_lanes, static_cast<std::size_t>(threads_per_block_)));
    for (std::size_t l = 0; l < lanes_[v].size(); ++l)
      lanes_[v][l] = value(static_cast<std::int64_t>(l) % threads_per_block_);
  };
  using T = std::int64_t; // the number of a thread in its block
  set(tid, used_[tid], [](T t) { return t; });
  set(lane, used_[lane], [](T t) { return t % 32; });
  set(warp, used_[warp], [](T t) { return t / 32; });
  set(x, used_[x] || used_[col], [&](T t) { return t % block_.x; });
  set(y, used_[y] || used_[row], [&](T t) { return t / block_.x % block_.y; });
  set(z, used_[z], [&](T t) { return t / (block_.x * block_.y); });
  set(i, used_[i], [&](T) { return iteration; });
}

bool LaunchWalk::next_chunk() {
  thread_at_ += static_cast<std::int64_t>(lanes_of_chunk_);
  if (thread_at_ >= threads()) return false;
  constexpr auto most = static_cast<std::int64_t>(chunk_lanes);
  const std::int64_t rest = threads() - thread_at_;
  lanes_of_chunk_ = static_cast<std::size_t>(
      threads_per_block_ <= most ? std::min(most / threads_per_block_ * threads_per_block_, rest)
                                 : std::min(most, threads_per_block_ - thread_at_ % threads_per_block_));
  fill();
  if (guard_) {
    evaluate(*guard_, nullptr);
    // Any number that is not 0 is true.
    std::vector<std::int64_t>& holds = guard_->values;
    for (std::size_t l = 0; l < lanes_of_chunk_; ++l) holds[l] = static_cast<std::int64_t>(holds[l] != 0);
    active_.clear();
    std::int64_t in_block = thread_at_ % threads_per_block_;
    for (std::size_t l = 0; l < lanes_of_chunk_;) {
      const auto count = static_cast<std::size_t>(std::min<std::int64_t>(threads_per_block_ - in_block, 32));
      active_.push_back(mask_of(&holds[l], count));
      l += count;
      in_block += 32;
      if (in_block >= threads_per_block_) in_block = 0;
    }
  }
  for (Named& p : programs_) evaluate(p, guard_ ? guard_->values.data() : nullptr);
  return true;
}

void LaunchWalk::fill() {
  const auto lanes = static_cast<std::int64_t>(lanes_of_chunk_);
  const std::int64_t block = thread_at_ / threads_per_block_, first = thread_at_ % threads_per_block_;
  for (const Variable v : {tid, lane, warp, x, y, z, i})
    if (!lanes_[v].empty()) variables_[v] = &lanes_[v][static_cast<std::size_t>(first)];
  if (used_[gid])
    for (std::int64_t l = 0; l < lanes; ++l) lanes_[gid][static_cast<std::size_t>(l)] = thread_at_ + l;
  if (!(used_[bx] || used_[by] || used_[bz] || used_[row] || used_[col])) return;
  Shape at{block % grid_.x, block / grid_.x % grid_.y, block / (grid_.x * grid_.y)};
  const std::int64_t step = std::min(lanes, threads_per_block_);
  for (std::int64_t l = 0; l < lanes; l += step) {
    fill_block(at, static_cast<std::size_t>(l), static_cast<std::size_t>(step));
    if (++at.x < grid_.x) continue;
    at.x = 0;
    if (++at.y < grid_.y) continue;
    at.y = 0;
    ++at.z;
  }
}

// The lanes of a chunk that are threads of the block at `at`.
void LaunchWalk::fill_block(Shape at, std::size_t first, std::size_t lanes) {
  const auto set = [&](Variable v, std::int64_t value) {
    if (!used_[v]) return;
    std::int64_t* const out = lanes_[v].data() + first;
    for (std::size_t l = 0; l < lanes; ++l) out[l] = value;
  };
  const auto add = [&](Variable v, const std::int64_t* thread, std::int64_t value) {
    if (!used_[v]) return;
    std::int64_t* const out = lanes_[v].data() + first;
    for (std::size_t l = 0; l < lanes; ++l) out[l] = thread[l] + value;
  };
  set(bx, at.x);
  set(by, at.y);
  set(bz, at.z);
  add(row, variables_[y], at.y * block_.y);
  add(col, variables_[x], at.x * block_.x);
}

void LaunchWalk::evaluate(Named& named, const std::int64_t* mask) {
  const std::span<std::int64_t> out(named.values.data(), lanes_of_chunk_);
  const auto fault = named.program.evaluate(variables_, mask, out);
  if (!fault) return;
  const std::int64_t thread = thread_at_ + static_cast<std::int64_t>(fault->lane);
  const std::int64_t b = thread / threads_per_block_, t = thread % threads_per_block_;
  std::string place =
      fmt::format("thread ({},{},{}) of block ({},{},{})", t % block_.x, t / block_.x % block_.y,
                  t / (block_.x * block_.y), b % grid_.x, b / grid_.x % grid_.y, b / (grid_.x * grid_.y));
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
  if (const double z = block.z == 1 ? 1 : gpu.at(facts::max_block_z).value; static_cast<double>(block.z) > z)
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
