// Which of many is next, warps or schedulers: a tournament over the times at which they are due. A change
// costs the logarithm of their number, and no branch that depends on which of them is earlier.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

class Agenda {
public:
  // Warps are 0, 1, ..; fewer than 2^20 of them, and none is due.
  explicit Agenda(std::size_t warps) {
    while (leaves_ < warps) leaves_ *= 4;
    tree_.assign(2 * leaves_, never);
  }

  // `time` is not below zero. Of several that are due at one time the one that was set first is next.
  void set(std::size_t warp, double time) { set(warp, time, order_++); }
  // Before all of that time that are not set first, too.
  void set_first(std::size_t warp, double time) { set(warp, time, first_++); }
  void clear(std::size_t warp) { replay(warp, never); }

  struct Entry {
    double time;
    std::size_t warp;
  };
  // When the warp is due; no number where it is not, which is not before any time.
  double due(std::size_t warp) const {
    return std::bit_cast<double>(static_cast<std::uint64_t>(tree_[leaves_ + warp] >> 64));
  }
  bool empty() const { return tree_[1] == never; }
  Entry next() const {
    const auto low = static_cast<std::uint64_t>(tree_[1]), high = static_cast<std::uint64_t>(tree_[1] >> 64);
    return {std::bit_cast<double>(high), low & ((std::uint64_t{1} << warp_bits) - 1)};
  }

private:
  // From the highest bit on: the time, as the bits of doubles that are not negative rise with them; when it
  // was set; the warp.
  __extension__ using Due = unsigned __int128;
  static constexpr unsigned warp_bits = 20;
  static constexpr Due never = ~Due{0};

  void set(std::size_t warp, double time, std::uint64_t order) {
    replay(warp, Due{std::bit_cast<std::uint64_t>(time)} << 64 | order << warp_bits | warp);
  }
  void replay(std::size_t warp, Due winner) {
    Due* const tree = tree_.data();
    std::size_t at = leaves_ + warp;
    tree[at] = winner;
    while (at > 1) {
      // The best of the others that it plays does not wait for the level below.
      const Due a = tree[at ^ 1], b = tree[at ^ 2], c = tree[at ^ 3];
      const Due one = a < b ? a : b, best = one < c ? one : c;
      winner = best < winner ? best : winner;
      at /= 4;
      tree[at] = winner;
    }
  }

  std::uint64_t first_ = 0, order_ = std::uint64_t{1} << 43; // of 44 bits
  std::size_t leaves_ = 1;
  std::vector<Due> tree_; // 1 is the root; the children of i are 4 i to 4 i + 3
};

} // namespace perfmodel
