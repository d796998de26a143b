// A stamp of texts, by which one sees that they have changed: the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace perfmodel {

// FNV-1a: G. Fowler, L. C. Noll, K.-P. Vo, 1991.
class Stamp {
public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
    value_ = (value_ ^ bytes.size()) * 0x100000001b3u; // where one text ends and the next begins
  }
  std::uint64_t value() const { return value_; }

private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

} // namespace perfmodel
