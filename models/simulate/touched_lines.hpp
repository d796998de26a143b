// Lines that a block has touched, and how many different ones since any of its accesses: what a cache must
// hold that still has what the access touched (the reuse distance of R. L. Mattson et al., Evaluation
// techniques for storage hierarchies, IBM Systems Journal 9(2), 1970).
#pragma once

#include "access_pieces.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace perfmodel {

class TouchedLines {
public:
  using Access = std::uint32_t; // in their order, from 1 on; 0: before the first

  // One more access begins.
  Access begin() {
    // A tree of sums: each place has those of as many before it as its lowest bit says.
    const std::size_t place = last_.size();
    std::int32_t sum = 0;
    for (std::size_t of = place & (place - 1), n = place - 1; n > of; n &= n - 1) sum += last_[n];
    last_.push_back(sum);
    return static_cast<Access>(place);
  }
  Access now() const { return static_cast<Access>(last_.size() - 1); }
  // It touches pieces of lines, ascending, of so many to a line.
  template <class Pieces> void touch(const Pieces& pieces, std::uint64_t of_line) {
    std::uint64_t line = ~std::uint64_t{0};
    for (const std::uint64_t piece : pieces)
      if (piece / of_line != line) touch(line = piece / of_line);
  }
  void touch(std::uint64_t line) {
    assert(now() > 0);
    if (line == last_line_ && last_access_ == now()) return;
    last_line_ = line, last_access_ = now();
    const auto [at, is_new] = by_line_.try_emplace(line, now());
    if (!is_new && at->second == now()) return;
    if (!is_new) add(at->second, -1);
    at->second = now();
    add(now(), 1);
  }
  // Bytes of different lines that this access, 1 or more, and those after it have touched.
  double since(Access access) const {
    assert(access > 0 && access <= now());
    std::int64_t before = 0;
    for (std::size_t n = access - 1; n > 0; n &= n - 1) before += last_[n];
    return line_bytes * (static_cast<double>(by_line_.size()) - static_cast<double>(before));
  }
  double bytes() const { return line_bytes * static_cast<double>(by_line_.size()); }

private:
  void add(Access access, std::int32_t lines) {
    for (std::size_t n = access; n < last_.size(); n += n & (~n + 1)) last_[n] += lines;
  }

  std::uint64_t last_line_ = 0; // touched, by
  Access last_access_ = 0;
  std::unordered_map<std::uint64_t, Access> by_line_; // the last access to each
  std::vector<std::int32_t> last_ = {0};              // lines whose last access it was, in sums
};

} // namespace perfmodel
