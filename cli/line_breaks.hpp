// Where a line of text may end.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

enum class LineBreak : unsigned char {
  never,     // no space, or one that groups the digits of 1 073 741 824
  unwelcome, // within "4.8 TB/s", "7 %", or a command to copy
  good,
};

// What each byte of the text is. A command ('perfmodel hw list', `perfmodel kernel --hw h200`, or so without
// quotes up to its last option) is kept together only where a line of `width` characters holds it.
std::vector<LineBreak> line_breaks(std::string_view text, std::size_t width);

} // namespace perfmodel::cli
