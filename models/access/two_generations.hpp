// A value for each page of memory, in two generations: those touched since the last turn, and those of the
// time between the two turns before. A turn forgets the older ones at no cost.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace perfmodel {

// Pages start at multiples of 2^page_bits. Pointers hold until the next insert or turn.
template <class Value> class TwoGenerations {
public:
  explicit TwoGenerations(int page_bits) : page_bits_(page_bits) { grow(); }

  // nullptr: not there.
  Value* find_now(std::int64_t start) { return find(now_, start); }
  Value* find_before(std::int64_t start) { return find(1 - now_, start); }
  // For a page that is not there yet.
  Value* insert(std::int64_t start, Value value) {
    if (2 * ++used_[now_] > slots_.size()) grow();
    return place(now_, start, value);
  }
  // Soon to be looked for: many waits for memory at a time are one.
  void prefetch(std::int64_t start) const { __builtin_prefetch(&slots_[home(start)]); }

  // What is now becomes what was before.
  void turn() {
    now_ = 1 - now_;
    used_[now_] = 0;
    if (++epoch_[now_] <= epochs()) return;
    for (Slot& slot : slots_) slot.key[now_] = 0;
    epoch_[now_] = 1;
  }

private:
  // A key is a page's start and, in the bits that are zero in it, the epoch of its generation, from 1: so a
  // turn need not clear the table. The generations share a slot, since both are asked for the same page.
  struct alignas(32) Slot {
    std::array<std::uint64_t, 2> key{};
    std::array<Value, 2> value{};
  };
  static constexpr std::size_t bucket = 2; // slots: a cache line

  std::uint64_t epochs() const { return (std::uint64_t{1} << page_bits_) - 1; }
  bool is_free(const Slot& slot, std::size_t generation) const {
    return (slot.key[generation] & epochs()) != epoch_[generation];
  }

  // The bucket to look in first. Pages of one neighbourhood stay side by side, as streams touch them;
  // neighbourhoods are spread by Fibonacci hashing, which keeps those that follow one another apart.
  static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15u; // 2^64 over the golden ratio
  static constexpr int neighbourhood_bits = 6;
  std::size_t home(std::int64_t start) const {
    const std::uint64_t page = static_cast<std::uint64_t>(start) >> page_bits_;
    const std::uint64_t first = (page >> neighbourhood_bits) * golden >> shift_;
    return static_cast<std::size_t>(first + page % (1u << neighbourhood_bits)) & mask_;
  }
  // An odd number of buckets farther, it meets every one.
  std::size_t next(std::size_t at, std::int64_t start) const {
    const std::uint64_t page = static_cast<std::uint64_t>(start) >> page_bits_;
    const auto spread = static_cast<std::size_t>((page >> neighbourhood_bits) * golden >> 20);
    return (at + bucket * (spread | 33)) & mask_;
  }

  Value* find(std::size_t generation, std::int64_t start) {
    const std::uint64_t wanted = static_cast<std::uint64_t>(start) | epoch_[generation];
    for (std::size_t at = home(start);; at = next(at, start))
      for (Slot* slot = &slots_[at]; slot != &slots_[at] + bucket; ++slot) {
        if (slot->key[generation] == wanted) return &slot->value[generation];
        if (is_free(*slot, generation)) return nullptr;
      }
  }

  Value* place(std::size_t generation, std::int64_t start, Value value) {
    for (std::size_t at = home(start);; at = next(at, start))
      for (Slot* slot = &slots_[at]; slot != &slots_[at] + bucket; ++slot) {
        if (!is_free(*slot, generation)) continue;
        slot->key[generation] = static_cast<std::uint64_t>(start) | epoch_[generation];
        slot->value[generation] = value;
        return &slot->value[generation];
      }
  }

  void grow() {
    constexpr std::size_t first_size = 1024;
    std::vector<Slot> old(slots_.empty() ? first_size : 2 * slots_.size());
    std::swap(old, slots_);
    mask_ = (slots_.size() - 1) & ~(bucket - 1);
    shift_ = 64 - std::countr_zero(slots_.size());
    for (const Slot& slot : old)
      for (std::size_t g = 0; g < 2; ++g)
        if (!is_free(slot, g)) place(g, static_cast<std::int64_t>(slot.key[g] & ~epochs()), slot.value[g]);
  }

  int page_bits_, shift_ = 0;
  std::size_t now_ = 0, mask_ = 0;
  std::array<std::uint64_t, 2> epoch_{1, 1};
  std::array<std::size_t, 2> used_{0, 0};
  std::vector<Slot> slots_; // two hash tables: a power of two, at most half of each used
};

} // namespace perfmodel
