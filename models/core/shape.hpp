// The shape of a block or of a grid: "256", "16x16", "8x8x4"; x varies fastest.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace perfmodel {

struct Shape {
  std::int64_t x = 1, y = 1, z = 1;
  static constexpr bool listed = true; // "16x16,32x8" sweeps shapes: fields.hpp

  // One to three whole numbers of at most ten digits. Throws InputError.
  static Shape from_text(std::string_view text);
  std::string text() const; // "16x16"; sides of one at the end are left away
  std::int64_t count() const { return x * y * z; }
  friend bool operator==(const Shape&, const Shape&) = default;
};

} // namespace perfmodel
