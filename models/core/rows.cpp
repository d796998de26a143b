#include "rows.hpp"

#include <functional>

namespace perfmodel::detail {

std::optional<CellPlace> place_of(const void* member, std::span<const Rows> tables) {
  const auto* at = static_cast<const std::byte*>(member);
  const std::less<> before; // an order of all addresses, whosever they are
  for (std::size_t t = 0; t < tables.size(); ++t) {
    const Rows& rows = tables[t];
    if (rows.count == 0 || before(at, rows.first) || !before(at, rows.first + rows.count * rows.size))
      continue;
    const auto bytes = static_cast<std::size_t>(at - rows.first);
    for (const Field& field : rows.fields)
      if (field.offset == bytes % rows.size) return CellPlace{t, bytes / rows.size, field.name};
  }
  return {};
}

} // namespace perfmodel::detail
