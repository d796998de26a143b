// The bytes of a number, the lowest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace perfmodel {

// The first `count` of them, zeros behind the last.
template <class T> std::vector<std::uint8_t> bytes_of(T value, std::size_t count = sizeof(T)) {
  std::vector<std::uint8_t> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof value);
  bytes.resize(count);
  return bytes;
}

} // namespace perfmodel
