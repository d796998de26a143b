#include "shape.hpp"

#include "error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

Shape Shape::from_text(std::string_view text) {
  const auto refuse = [&] {
    return InputError(
        fmt::format("{} is no shape of one to three whole numbers, such as 16x16", quoted(text)));
  };
  const auto too_large = [&] { return InputError(fmt::format("{} is too large a shape", quoted(text))); };
  Shape shape;
  std::int64_t* const sides[] = {&shape.x, &shape.y, &shape.z};
  std::string_view rest = text;
  for (std::int64_t* side : sides) {
    const std::size_t end = std::min(rest.find('x'), rest.size());
    const std::string_view digits = rest.substr(0, end);
    if (digits.empty() || digits.find_first_not_of("0123456789") != digits.npos) throw refuse();
    if (digits.size() > 10) throw too_large();
    *side = std::stoll(std::string(digits));
    if (*side < 1) throw refuse();
    if (end == rest.size()) {
      // 2^63, what count() holds
      if (static_cast<double>(shape.x) * static_cast<double>(shape.y) * static_cast<double>(shape.z) >=
          0x1p63)
        throw too_large();
      return shape;
    }
    rest.remove_prefix(end + 1);
  }
  throw refuse(); // a fourth side
}

std::string Shape::text() const {
  if (z > 1) return fmt::format("{}x{}x{}", x, y, z);
  return y > 1 ? fmt::format("{}x{}", x, y) : fmt::format("{}", x);
}

} // namespace perfmodel
