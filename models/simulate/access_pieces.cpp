#include "access_pieces.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace perfmodel {

bool side_by_side(const MemoryAccess& a) {
  if (a.mask != ~std::uint32_t{0}) return false;
  for (std::size_t lane = 1; lane < 32; ++lane)
    if (a.address[lane] != a.address[lane - 1] + a.bytes) return false;
  return true;
}

std::vector<std::uint64_t> pieces_of(const MemoryAccess& a, std::int64_t size) {
  const auto shift = std::countr_zero(static_cast<std::uint64_t>(size));
  std::vector<std::uint64_t> list;
  if (side_by_side(a)) {
    const std::int64_t last = (a.address[31] + a.bytes - 1) >> shift;
    for (std::int64_t at = a.address[0] >> shift; at <= last; ++at)
      list.push_back(static_cast<std::uint64_t>(at));
    return list;
  }
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((a.mask >> lane & 1) == 0) continue;
    const std::int64_t first = a.address[lane] >> shift, last = (a.address[lane] + a.bytes - 1) >> shift;
    for (std::int64_t at = first; at <= last; ++at) // mostly the one that the lane before touches
      if (list.empty() || list.back() != static_cast<std::uint64_t>(at))
        list.push_back(static_cast<std::uint64_t>(at));
  }
  if (!std::is_sorted(list.begin(), list.end())) std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

std::size_t count_pieces(const MemoryAccess& a, std::int64_t size) {
  if (!side_by_side(a)) return pieces_of(a, size).size();
  const auto shift = std::countr_zero(static_cast<std::uint64_t>(size));
  return static_cast<std::size_t>(((a.address[31] + a.bytes - 1) >> shift) - (a.address[0] >> shift) + 1);
}

CopiedPieces copied_pieces(const MemoryAccess& from, const MemoryAccess& to) {
  std::vector<std::pair<std::int64_t, std::int64_t>> sectors; // where from, where to
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (from.mask >> lane & 1)
      sectors.emplace_back(from.address[lane] / sector_bytes, to.address[lane] / sector_bytes);
  std::sort(sectors.begin(), sectors.end());
  sectors.erase(std::unique(sectors.begin(), sectors.end()), sectors.end());
  CopiedPieces made{.sectors = sectors.size()};
  constexpr std::int64_t of_line = line_bytes / sector_bytes;
  for (std::size_t i = 0; i < sectors.size();) {
    const std::int64_t line = sectors[i].first / of_line;
    std::size_t times = 0, most = 0; // that a sector of the line comes
    for (std::int64_t sector = -1; i < sectors.size() && sectors[i].first / of_line == line; ++i) {
      times = sectors[i].first == sector ? times + 1 : 1;
      sector = sectors[i].first;
      most = std::max(most, times);
    }
    made.lines += most;
  }
  return made;
}

std::size_t larger_pieces(const std::vector<std::uint64_t>& list, std::uint64_t divisor) {
  std::size_t count = 0;
  std::uint64_t last = 0;
  for (const std::uint64_t at : list) {
    count += count == 0 || at / divisor != last ? 1U : 0U;
    last = at / divisor;
  }
  return count;
}

std::uint64_t lanes_beside(const MemoryAccess& a, std::int64_t first) {
  std::uint64_t h = a.mask;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (a.mask >> lane & 1)
      h = (h ^ static_cast<std::uint64_t>(a.address[lane] - first)) * 0x9E3779B97F4A7C15u;
  return h ^ h >> 29;
}

std::size_t most_alike(const MemoryAccess& a) {
  std::size_t most = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((a.mask >> lane & 1) == 0) continue;
    std::size_t same = 0;
    for (std::size_t other = 0; other < 32; ++other)
      same += (a.mask >> other & 1) != 0 && a.address[other] == a.address[lane] ? 1U : 0U;
    most = std::max(most, same);
  }
  return most;
}

std::int64_t lanes_of_a_bank(const MemoryAccess& a, const Banks& banks) {
  std::map<std::int64_t, std::int64_t> lanes;
  std::int64_t most = 0;
  for (std::size_t lane = 0; lane < 32; ++lane)
    if ((a.mask >> lane & 1) != 0)
      most = std::max(most, ++lanes[a.address[lane] / banks.interleave % banks.count]);
  return most;
}

std::size_t sector_turns(const MemoryAccess& a) {
  std::size_t turns = 0;
  for (const std::uint64_t sector : pieces_of(a, sector_bytes)) {
    MemoryAccess in_sector = a;
    for (std::size_t lane = 0; lane < 32; ++lane)
      if (sector_of(a.address[lane]) != sector) in_sector.mask &= ~(std::uint32_t{1} << lane);
    turns += most_alike(in_sector);
  }
  return turns;
}

} // namespace perfmodel
