// Bytes that a kernel may read and write: shared memory of a block, local memory of a lane, a bank of
// constants. Each is known or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace perfmodel {

class MemoryBytes {
public:
  // `at` first byte, `count` of 1 to 8 bytes, the lowest first. Empty where one of them is not known.
  std::optional<std::uint64_t> read(std::uint64_t at, std::size_t count) const {
    if (at > known_.size() || count > known_.size() - at) return std::nullopt;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!known_[at + i]) return std::nullopt;
      value |= std::uint64_t{bytes_[at + i]} << (8 * i);
    }
    return value;
  }
  // Empty: what is written is not known. Beyond `most` nothing is kept.
  void write(std::uint64_t at, std::size_t count, std::optional<std::uint64_t> value) {
    if (at > most || count > most - at) return;
    if (at + count > known_.size()) {
      if (!value) return;
      bytes_.resize(at + count);
      known_.resize(at + count);
    }
    for (std::size_t i = 0; i < count; ++i) {
      known_[at + i] = value ? 1 : 0;
      bytes_[at + i] = value ? static_cast<std::uint8_t>(*value >> (8 * i)) : 0;
    }
  }
  void forget() { known_.assign(known_.size(), 0); }

  static constexpr std::size_t most = std::size_t{1} << 20;

private:
  std::vector<std::uint8_t> bytes_, known_;
};

} // namespace perfmodel
