// How many different transactions the warps of a block have: what L1 fetches for it.
#pragma once

#include "transactions.hpp"

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
  // By a hash table, at most a half of it used: to sort costs five times as much.
  std::size_t distinct() {
    if (places_.size() < 2 * count_) places_.assign(std::bit_ceil(2 * count_), {});
    ++block_;
    const std::size_t mask = places_.size() - 1;
    std::size_t n = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      std::size_t at = (static_cast<std::uint64_t>(starts_[i]) * 0x9E3779B97F4A7C15u) >> 32; // Fibonacci
      while (places_[at & mask].block == block_ && places_[at & mask].start != starts_[i]) ++at;
      n += static_cast<std::size_t>(places_[at & mask].block != block_);
      places_[at & mask] = {starts_[i], block_};
    }
    return n;
  }

  struct Place {
    std::int64_t start, block; // of another block: free
  };
  std::vector<std::int64_t> starts_;
  std::vector<Place> places_;
  std::size_t count_ = 0;
  std::int64_t last_ = -1, block_ = 0;
  bool sorted_ = true;
};

} // namespace perfmodel
