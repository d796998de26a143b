// How many different transactions, of 32 B or more, the warps of a block have: what L1 fetches for it.
#pragma once

#include "transactions.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perfmodel {

class BlockLines {
public:
  void add(std::span<const Transaction> all) {
    if (starts_.size() < count_ + all.size()) starts_.resize(2 * (count_ + all.size()));
    for (const Transaction& t : all) {
      sorted_ = sorted_ && t.address >= last_;
      starts_[count_] = t.address; // overwritten by the next one unless it differs
      count_ += static_cast<std::size_t>(t.address != last_);
      last_ = t.address;
    }
  }
  std::int64_t take() { // how many differ
    const std::size_t n = sorted_ ? count_ : distinct();
    count_ = 0;
    last_ = -1;
    sorted_ = true;
    return static_cast<std::int64_t>(n);
  }

private:
  // By a hash table, at most a half of it used: to sort costs five times as much. A place is one word: the
  // number of a sector, and of the block, so that no block has to clear the table.
  static constexpr int sector_bits = 5, block_bits = 22;
  static constexpr std::uint64_t blocks = (std::uint64_t{1} << block_bits) - 1;
  std::size_t distinct() {
    if (places_.size() < 2 * count_ || (++block_ & blocks) == 0) {
      places_.assign(std::max(places_.size(), std::bit_ceil(2 * count_)), 0);
      block_ = 1;
    }
    const std::size_t mask = places_.size() - 1;
    std::size_t n = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::uint64_t sector = static_cast<std::uint64_t>(starts_[i]) >> sector_bits,
                          wanted = sector << block_bits | block_;
      std::size_t at = (sector * 0x9E3779B97F4A7C15u) >> 32; // Fibonacci
      while ((places_[at & mask] & blocks) == block_ && places_[at & mask] != wanted) ++at;
      n += static_cast<std::size_t>(places_[at & mask] != wanted);
      places_[at & mask] = wanted;
    }
    return n;
  }

  std::vector<std::int64_t> starts_;
  std::vector<std::uint64_t> places_;
  std::size_t count_ = 0;
  std::uint64_t block_ = 0; // 0: of no block yet
  std::int64_t last_ = -1;
  bool sorted_ = true;
};

} // namespace perfmodel
