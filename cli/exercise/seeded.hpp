// Numbers drawn from a seed, the same on every machine: the standard library's distributions differ between
// libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perfmodel::cli {

// SplitMix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", OOPSLA
// 2014.
class Seeded {
public:
  explicit Seeded(std::uint64_t seed) : state_(seed) {}

  // Numbers that follow now depend on this as well.
  void mix(std::uint64_t number) { state_ = next() ^ number; }
  void mix(std::string_view word) {
    for (const char c : word) mix(static_cast<unsigned char>(c));
  }

  // A whole number below `count`, which is not 0. That low ones come a little more often does no harm here.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }

private:
  std::uint64_t state_;

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }
};

} // namespace perfmodel::cli
