// The cells of one column in few bytes: a column that stands still, as most of a sweep do, is one value.
#pragma once

#include "models/core/table.hpp"

#include <string>
#include <string_view>

namespace perfmodel::cli {

// For this process alone: the bytes are in the machine's own order.
std::string packed(const Column& column);

// A column that stands still has one cell for all of its rows.
struct Cells {
  Column column;
  std::size_t rows = 0;
};
// The cells that were packed; of `like` the rest.
Cells unpacked(std::string_view bytes, const Column& like);

} // namespace perfmodel::cli
