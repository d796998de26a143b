// One column of a table ready to print: how wide it is, and how narrow it can be made.
#pragma once

#include "models/core/table.hpp"

#include <string>
#include <vector>

namespace perfmodel::cli {

// Numbers right, units left of each other, long texts wrapped.
struct Strip {
  std::vector<std::string> head;               // its lines
  std::vector<std::vector<std::string>> cells; // lines of each
  std::size_t width = 0;
  bool text = false;
};

// `integers` is integer_rows of the table.
Strip strip_of(const Column& column, const std::vector<bool>& integers);

// Wraps a text column to `width`, or to its longest word where that is not too long.
void narrow(Strip& strip, std::size_t width);

// A heading of several words above narrower numbers becomes several lines.
void narrow_head(Strip& strip);

} // namespace perfmodel::cli
