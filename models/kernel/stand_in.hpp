// What stands in for loaded data where addresses go by it. A word that is loaded is not known, but what is
// computed of it is computed of a number that could lie there: so an address that goes by it still shows the
// array that it leads into, and which lanes go the same way.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace perfmodel {

enum class LoadedIndex : std::uint8_t {
  refuse, // a kernel whose addresses go by loaded data is not understood
  spread, // each index leads anywhere in the array, all places alike
  near    // each index is the place where it stands: neighbours lead to neighbours
};
constexpr auto names(LoadedIndex) { return std::to_array<std::string_view>({"refuse", "spread", "near"}); }

// Bits that are as good as random, the same for the same number.
constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

// The word of up to four bytes at this address: as an index it leads into an array of up to 16 million
// places.
constexpr std::uint32_t stand_in(LoadedIndex how, std::uint64_t address, unsigned bytes) {
  const std::uint64_t number = how == LoadedIndex::near ? address / (bytes == 0 ? 1 : bytes) : mixed(address);
  constexpr std::uint64_t largest = (1U << 24) - 1;
  return static_cast<std::uint32_t>(number & (bytes >= 4 ? largest : (1U << 8 * bytes) - 1));
}

} // namespace perfmodel
