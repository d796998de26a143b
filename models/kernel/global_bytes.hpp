// Device memory as one block sees it: what it held at the launch, until the block writes there; or, where
// blocks are followed one after the other, a block before it has.
#pragma once

#include "device_memory.hpp"
#include "earlier_blocks.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace perfmodel {

class GlobalBytes {
public:
  GlobalBytes() = default;
  explicit GlobalBytes(const DeviceMemory& at_launch) : at_launch_(&at_launch) {}

  // As block number `block`, after `earlier` ones.
  GlobalBytes(const DeviceMemory& at_launch, const EarlierBlocks& earlier, std::int64_t block)
      : at_launch_(&at_launch), earlier_(&earlier), block_(block) {}

  bool holds_any() const { return at_launch_ != nullptr; } // words that are known
  // Whether it is known only as far as the array is alike all over (DeviceMemory::Part).
  bool repeats(std::uint64_t address) const { return at_launch_ != nullptr && at_launch_->repeats(address); }
  // `count` bytes, 1 to 8, of a load of `width` bytes; 0: of none. Empty: not known.
  std::optional<std::uint64_t> read(std::uint64_t address, std::size_t count, std::size_t width = 0) const {
    if (at_launch_ == nullptr) return std::nullopt;
    if (!is_written(address, count)) return at_launch_->read(address, count, width);
    if (count != 4 || address % 4 != 0) return std::nullopt;
    return *written(address / 4);
  }
  // Whether this block, or one before it, has written any of it.
  bool is_written(std::uint64_t address, std::size_t count) const {
    if (written_.empty() && earlier_ == nullptr) return false;
    for (std::uint64_t word = address / 4; word <= (address + count - 1) / 4; ++word)
      if (written(word)) return true;
    return false;
  }
  // Of less than whole words it is not known what they leave.
  void write(std::uint64_t address, std::size_t count, std::optional<std::uint32_t> value) {
    if (at_launch_ == nullptr ||
        (!value && earlier_ == nullptr && written_.empty() && !at_launch_->holds(address)))
      return;
    for (std::uint64_t word = address / 4; word <= (address + count - 1) / 4; ++word)
      written_[word] = count == 4 && address % 4 == 0 ? value : std::nullopt;
  }
  // Somewhere: nothing is known any more.
  void forget() { at_launch_ = nullptr; }

private:
  // Outer empty: nobody has; inner: what is not known.
  std::optional<std::optional<std::uint32_t>> written(std::uint64_t word) const {
    if (const auto own = written_.find(word); own != written_.end()) return own->second;
    return earlier_ != nullptr ? earlier_->find(word, block_) : std::nullopt;
  }
  const DeviceMemory* at_launch_ = nullptr;
  const EarlierBlocks* earlier_ = nullptr;
  std::int64_t block_ = 0;
  std::unordered_map<std::uint64_t, std::optional<std::uint32_t>> written_; // by address over four
};

} // namespace perfmodel
