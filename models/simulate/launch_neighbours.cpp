#include "launch_neighbours.hpp"

#include <algorithm>

namespace perfmodel {

namespace {

bool inside(const Shape& grid, std::int64_t x, std::int64_t y, std::int64_t z) {
  return x >= 0 && y >= 0 && z >= 0 && x < grid.x && y < grid.y && z < grid.z;
}

std::int64_t followers_of(std::uint64_t effort) { return effort < 20'000 ? 4 : effort < 400'000 ? 2 : 1; }

bool touches_any(const BlockFootprint& block) {
  const auto any = [](const auto& pieces) { return !pieces.empty(); };
  return std::any_of(block.loads.begin(), block.loads.end(), any) ||
         std::any_of(block.stores.begin(), block.stores.end(), any);
}

template <class Pieces> double share_in(const Pieces& own, const Pieces& other) {
  if (own.empty()) return 0;
  std::size_t shared = 0;
  for (const auto& piece : own) shared += other.count(piece.first);
  return static_cast<double>(shared) / static_cast<double>(own.size());
}

double share_of(const BlockFootprint& block, const BlockFootprint& other, std::size_t allocation,
                Touch touch = Touch::loads) {
  return touch == Touch::loads ? share_in(block.loads[allocation], other.loads[allocation])
                               : share_in(block.stores[allocation], other.stores[allocation]);
}

// As many as a power of two, on the side of the block where there is room; none where some of them have
// nothing to do, for then they say little of the others.
std::vector<const BlockFootprint*> row_of(const Shape& grid, const std::array<std::int64_t, 3>& place,
                                          std::uint64_t effort, const FootprintAt& at) {
  constexpr std::uint64_t affordable = 400'000; // instructions
  constexpr std::int64_t most = 64;
  const std::int64_t room = std::max(grid.x - place[0], place[0] + 1),
                     way = grid.x - place[0] == room ? 1 : -1;
  std::int64_t blocks = 1;
  while (2 * blocks <= std::min(most, room) &&
         2 * static_cast<std::uint64_t>(blocks) * std::max<std::uint64_t>(1, effort) <= affordable)
    blocks *= 2;
  std::vector<const BlockFootprint*> row;
  if (blocks <= followers_of(effort)) return row; // the neighbours show as much
  for (std::int64_t n = 0; n < blocks; ++n) {
    row.push_back(&at(place[0] + way * n, place[1], place[2]));
    if (!touches_any(*row.back())) return {};
  }
  return row;
}

} // namespace

Neighbours neighbours_of(const Shape& grid, const std::array<std::int64_t, 3>& place, std::uint64_t effort,
                         const FootprintAt& at) {
  const std::int64_t tx = place[0], ty = place[1], tz = place[2];
  Neighbours near{.block = &at(tx, ty, tz),
                  .right = {},
                  .below = {},
                  .behind = {},
                  .before = {},
                  .beside = {},
                  .row = row_of(grid, place, effort, at)};
  const auto near_by = [&](std::int64_t x, std::int64_t y, std::int64_t z,
                           std::vector<const BlockFootprint*>& list) {
    if (!inside(grid, x, y, z)) return;
    if (const BlockFootprint& one = at(x, y, z); touches_any(one)) list.push_back(&one);
  };
  const bool flat = grid.y == 1;   // then z takes the place of y
  const bool column = grid.x == 1; // then those below are launched next
  for (std::int64_t n = 1; n <= followers_of(effort); ++n) {
    for (const std::int64_t away : {-n, n})
      near_by(tx + (column ? 0 : away), ty + (column && !flat ? away : 0), tz + (column && flat ? away : 0),
              near.beside);
    near_by(tx + n, ty, tz, near.right);
    near_by(tx, ty + (flat ? 0 : n), tz + (flat ? n : 0), near.below);
    if (!flat) near_by(tx, ty, tz + n, near.behind);
    near_by(tx - n, ty, tz, near.right.empty() ? near.right : near.before);
    near_by(tx, ty - (flat ? 0 : n), tz - (flat ? n : 0), near.below.empty() ? near.below : near.before);
    if (!flat) near_by(tx, ty, tz - n, near.behind.empty() ? near.behind : near.before);
  }
  const std::int64_t away = followers_of(effort), x = tx + away < grid.x ? tx + away : tx - away,
                     y = ty + away < grid.y ? ty + away : ty - away;
  if (inside(grid, x, y, tz)) near.square = {&at(x, ty, tz), &at(tx, y, tz), &at(x, y, tz)};
  return near;
}

Further further_of(const Shape& grid, const std::array<std::int64_t, 3>& place, std::size_t allocation,
                   std::uint64_t effort, const FootprintAt& at) {
  constexpr std::uint64_t most_effort = 400'000; // instructions
  constexpr double shared = 0.5;                 // no more of what it reads than that
  const std::int64_t tx = place[0], ty = place[1], tz = place[2];
  if (effort > most_effort) return {};
  const BlockFootprint& block = at(tx, ty, tz);
  Further last;
  for (std::int64_t distance = 2 * followers_of(effort);; distance *= 2) {
    const std::int64_t x = tx + distance < grid.x ? tx + distance : tx - distance;
    if (x < 0) return last;
    last = {static_cast<double>(distance), &at(x, ty, tz)};
    if (share_of(block, *last.block, allocation) <= shared) return last;
  }
}

std::vector<const BlockFootprint*> corners_of(const Shape& grid, std::uint64_t effort,
                                              const FootprintAt& at) {
  constexpr std::uint64_t quick = 60'000; // instructions
  constexpr std::int64_t idle = 2;        // blocks behind the last that has something to do
  std::vector<const BlockFootprint*> corners;
  if (effort > quick) return corners;
  const auto ends = [](std::int64_t blocks) {
    return blocks > 1 ? std::vector<bool>{false, true} : std::vector<bool>{false};
  };
  for (const bool last_x : ends(grid.x))
    for (const bool last_y : ends(grid.y))
      for (const bool last_z : ends(grid.z)) {
        const auto place = [](bool last, std::int64_t blocks, std::int64_t inside) {
          return last ? std::max(std::int64_t{0}, blocks - 1 - inside) : std::min(blocks - 1, inside);
        };
        const BlockFootprint* corner = nullptr;
        for (std::int64_t n = 0; n <= idle && (corner == nullptr || !touches_any(*corner)); ++n)
          corner = &at(place(last_x, grid.x, n), place(last_y, grid.y, n), place(last_z, grid.z, n));
        if (!touches_any(*corner)) return {};
        corners.push_back(corner);
      }
  return corners;
}

Recurrence recurrence_of(const Shape& grid, const std::array<std::int64_t, 3>& place, std::size_t allocation,
                         Touch touch, std::uint64_t effort, double most, const FootprintAt& at) {
  constexpr std::uint64_t affordable = 400'000, most_effort = 20'000; // instructions
  constexpr std::int64_t multiples = 16;
  constexpr double shares = 0.25; // of what the block reads, where it is no chance
  const std::int64_t tx = place[0], ty = place[1], tz = place[2];
  const std::int64_t room =
      std::min(static_cast<std::int64_t>(std::min(most, 1e9)), std::max(grid.x - 1 - tx, tx));
  const auto each_up_to =
      static_cast<std::int64_t>(affordable / std::max<std::uint64_t>(1, effort)) + followers_of(effort);
  if (effort > most_effort) return {};
  const BlockFootprint& block = at(tx, ty, tz);
  // On either side: the block may be the last of those that share a line.
  const auto comes_back = [&](std::int64_t distance) {
    for (const std::int64_t x : {tx - distance, tx + distance})
      if (inside(grid, x, ty, tz) && share_of(block, at(x, ty, tz), allocation, touch) >= shares) return true;
    return false;
  };
  std::int64_t period = followers_of(effort) + 1;
  while (period <= room && !comes_back(period)) period = period < each_up_to ? period + 1 : 2 * period;
  if (period > room) return {};
  Recurrence found{.period = static_cast<double>(period), .blocks = {}};
  for (std::int64_t n = 1; n <= multiples && n * period <= room; ++n)
    for (const std::int64_t x : {tx - n * period, tx + n * period})
      if (inside(grid, x, ty, tz)) found.blocks.push_back(&at(x, ty, tz));
  return found;
}

} // namespace perfmodel
