// What RecentReads and RecentWrites count, in the plainest way: a map of lines (128 B) for each generation,
// touched one atom after another. Slow, and what both are compared with.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <utility>

namespace perfmodel {

class SlowAtoms {
public:
  SlowAtoms(std::int64_t atom, std::int64_t capacity, std::int64_t reach)
      : atom_(atom), most_(std::max<std::int64_t>(capacity / atom / 2, 1)),
        lines_in_reach_(std::max<std::int64_t>(reach / 128, 1)) {}

  std::int64_t read = 0, filled = 0, written = 0, split = 0, shared_fills = 0; // atoms; the last two: lines
  double rows_read = 0, rows_written = 0;

  void next_request() { ++request_; }
  void read_one(std::int64_t address) { touch(address, true); }
  void write_one(std::int64_t address, std::int64_t bytes) {
    Line& line = touch(address, false);
    if (line.writer != request_) {
      line.earlier = line.written;
      line.twice = line.twice || line.writer != 0;
    }
    line.writer = request_;
    const Bytes sector = range(address & ~(atom_ - 1), atom_), earlier = line.earlier & sector;
    if (!line.split && earlier.any() && earlier != sector) {
      line.split = true;
      ++split;
    }
    line.written |= range(address, bytes);
  }
  void forget_all() {
    retire(before_);
    retire(now_);
  }

private:
  using Bytes = std::bitset<128>;
  struct Line {
    std::bitset<128> touched; // by the number of an atom
    Bytes written, earlier;
    std::int64_t writer = 0;
    bool split = false, twice = false;
  };
  using Generation = std::map<std::int64_t, Line>;

  static Bytes range(std::int64_t address, std::int64_t bytes) {
    Bytes b;
    for (std::int64_t i = 0; i < bytes; ++i) b.set(static_cast<std::size_t>((address & 127) + i));
    return b;
  }

  bool has_neighbour(const Generation& generation, std::int64_t number) const {
    const std::int64_t first = number & ~(lines_in_reach_ - 1);
    for (std::int64_t n = first; n < first + lines_in_reach_; ++n)
      if (n != number && generation.contains(n)) return true;
    return false;
  }

  Line& touch(std::int64_t address, bool is_read) {
    const std::int64_t number = address >> 7;
    const auto atom = static_cast<std::size_t>((address & 127) / atom_);
    if (const auto found = now_.find(number); found != now_.end() && found->second.touched[atom])
      return found->second;
    if (touched_ >= most_) {
      retire(before_);
      std::swap(before_, now_);
      touched_ = 0;
    }
    if (is_read && !now_.contains(number) && !has_neighbour(now_, number)) ++rows_read;
    Line& line = now_[number];
    line.touched.set(atom);
    ++touched_;
    if (const auto older = before_.find(number); older != before_.end() && older->second.touched[atom]) {
      const Bytes bytes = range(address & ~(atom_ - 1), atom_);
      line.written |= older->second.written & bytes;
      line.earlier |= older->second.written & bytes;
      older->second.written &= ~bytes;
      older->second.touched.reset(atom);
    } else if (is_read) {
      ++read;
    }
    return line;
  }

  void retire(Generation& generation) {
    for (const auto& [number, line] : generation) {
      std::int64_t some = 0, in_part = 0;
      for (std::int64_t at = 0; at < 128; at += atom_) {
        const Bytes sector = range(at, atom_), of_it = line.written & sector;
        some += of_it.any();
        in_part += of_it.any() && of_it != sector;
      }
      written += some;
      filled += in_part;
      shared_fills += in_part > 0 && line.twice;
      if (some == 0) continue;
      const double share = has_neighbour(generation, number) ? 1 / static_cast<double>(lines_in_reach_) : 1;
      rows_written += some * atom_ == 128 ? share : 1;
      if (in_part > 0) rows_read += share;
    }
    generation.clear();
  }

  std::int64_t atom_, most_, lines_in_reach_, touched_ = 0, request_ = 0;
  Generation now_, before_;
};

} // namespace perfmodel
