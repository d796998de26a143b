// What a register holds in the 32 lanes of a warp: words, each of which is known or not. Loaded data is
// unknown, and so is what is computed of it, but for what does not depend on it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace perfmodel {

inline constexpr std::uint32_t all_lanes = ~std::uint32_t{0};

struct LaneWords {
  std::array<std::uint32_t, 32> at{};
  std::uint32_t known = 0; // bit n: lane n

  static LaneWords of(std::uint32_t word) {
    LaneWords made;
    made.at.fill(word);
    made.known = all_lanes;
    return made;
  }
  // Of the lanes in `mask`, the values of `other`.
  void take(const LaneWords& other, std::uint32_t mask) {
    for (std::size_t i = 0; i < 32; ++i)
      if (mask >> i & 1) at[i] = other.at[i];
    known = (known & ~mask) | (other.known & mask);
  }
  // A word that all of these lanes have.
  bool same(std::uint32_t mask, std::uint32_t word) const {
    if ((known & mask) != mask) return false;
    for (std::size_t i = 0; i < 32; ++i)
      if ((mask >> i & 1) != 0 && at[i] != word) return false;
    return true;
  }
};

// 64 bits of two registers.
struct WideLanes {
  std::array<std::uint64_t, 32> at{};
  std::uint32_t known = 0;

  static WideLanes of(const LaneWords& low, const LaneWords& high) {
    WideLanes made{.known = low.known & high.known};
    for (std::size_t i = 0; i < 32; ++i) made.at[i] = std::uint64_t{high.at[i]} << 32 | low.at[i];
    return made;
  }
  LaneWords low() const {
    LaneWords made{.known = known};
    for (std::size_t i = 0; i < 32; ++i) made.at[i] = static_cast<std::uint32_t>(at[i]);
    return made;
  }
  LaneWords high() const {
    LaneWords made{.known = known};
    for (std::size_t i = 0; i < 32; ++i) made.at[i] = static_cast<std::uint32_t>(at[i] >> 32);
    return made;
  }
};

// A predicate: bit n is lane n. `value` is 0 where it is not known.
struct Flags {
  std::uint32_t value = 0, known = 0;

  static Flags of(std::uint32_t value) { return {value, all_lanes}; }
  Flags inverted() const { return {~value & known, known}; }
  std::uint32_t maybe() const { return value | ~known; }
};

// A known false decides an AND, a known true an OR.
inline Flags operator&(const Flags& a, const Flags& b) {
  const std::uint32_t no = (a.known & ~a.value) | (b.known & ~b.value), yes = a.value & b.value;
  return {yes, no | yes};
}
inline Flags operator|(const Flags& a, const Flags& b) { return (a.inverted() & b.inverted()).inverted(); }
inline Flags operator^(const Flags& a, const Flags& b) {
  const std::uint32_t known = a.known & b.known;
  return {(a.value ^ b.value) & known, known};
}

template <class F> LaneWords each(const LaneWords& a, F f) {
  LaneWords made{.known = a.known};
  for (std::size_t i = 0; i < 32; ++i) made.at[i] = f(a.at[i]);
  return made;
}
template <class F> LaneWords each(const LaneWords& a, const LaneWords& b, F f) {
  LaneWords made{.known = a.known & b.known};
  for (std::size_t i = 0; i < 32; ++i) made.at[i] = f(a.at[i], b.at[i]);
  return made;
}
template <class F> LaneWords each(const LaneWords& a, const LaneWords& b, const LaneWords& c, F f) {
  LaneWords made{.known = a.known & b.known & c.known};
  for (std::size_t i = 0; i < 32; ++i) made.at[i] = f(a.at[i], b.at[i], c.at[i]);
  return made;
}
template <class F> Flags flags_of(const LaneWords& a, const LaneWords& b, F f) {
  Flags made{.known = a.known & b.known};
  for (std::size_t i = 0; i < 32; ++i) made.value |= std::uint32_t{f(a.at[i], b.at[i])} << i;
  made.value &= made.known;
  return made;
}

} // namespace perfmodel
