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

// The `more`-th word of an access of so many bytes at this address. A word of eight bytes may be an index,
// too: its upper half is small.
constexpr std::uint32_t stand_in(LoadedIndex how, std::uint64_t address, unsigned bytes, unsigned more) {
  const bool upper = bytes == 8 && more == 1;
  if (how == LoadedIndex::near) return upper ? 0 : static_cast<std::uint32_t>(address / bytes + more);
  const auto number = static_cast<std::uint32_t>(mixed(address + std::uint64_t{4} * more));
  if (upper) return number & 0xff;
  return bytes >= 4 ? number : number & ((1U << 8 * bytes) - 1);
}

} // namespace perfmodel
