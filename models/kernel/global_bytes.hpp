// Device memory as one block sees it: what it held at the launch, until the block writes there.
#pragma once

#include "device_memory.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace perfmodel {

class GlobalBytes {
public:
  GlobalBytes() = default;
  explicit GlobalBytes(const DeviceMemory& at_launch) : at_launch_(&at_launch) {}

  // `count` bytes, 1 to 8, of a load of `width` bytes; 0: of none. Empty: not known.
  std::optional<std::uint64_t> read(std::uint64_t address, std::size_t count, std::size_t width = 0) const {
    if (at_launch_ == nullptr) return std::nullopt;
    const bool untouched = written_.empty() || none_written(address, count);
    if (untouched) return at_launch_->read(address, count, width);
    const auto word = written_.find(address / 4);
    if (count != 4 || address % 4 != 0 || word == written_.end()) return std::nullopt;
    return word->second;
  }
  // Of other counts than 4 it is not known what they leave.
  void write(std::uint64_t address, std::size_t count, std::optional<std::uint32_t> value) {
    if (at_launch_ == nullptr || !at_launch_->holds(address)) return;
    for (std::uint64_t word = address / 4; word <= (address + count - 1) / 4; ++word)
      written_[word] = count == 4 && address % 4 == 0 ? value : std::nullopt;
  }
  // Somewhere: nothing is known any more.
  void forget() { at_launch_ = nullptr; }

private:
  bool none_written(std::uint64_t address, std::size_t count) const {
    for (std::uint64_t word = address / 4; word <= (address + count - 1) / 4; ++word)
      if (written_.contains(word)) return false;
    return true;
  }
  const DeviceMemory* at_launch_ = nullptr;
  std::unordered_map<std::uint64_t, std::optional<std::uint32_t>> written_; // by address over four
};

} // namespace perfmodel
