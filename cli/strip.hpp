// One column of a table to be printed: how wide it is, and how narrow it can be made.
#pragma once

#include "models/core/table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

// Numbers right, units left of each other, long texts wrapped.
struct Strip {
  std::vector<std::string> head; // its lines
  std::size_t width = 0;
  bool text = false, has_value = false;
  std::size_t word = 0;             // of a text: the longest, but for those that are too long
  std::size_t number = 0, unit = 0; // the widest
};

// A strip that has seen no cell yet.
Strip strip_of(const Column& column);
// Makes it as wide as the text of one more cell.
void see(Strip& strip, const std::string& cell);
// The lines of a cell that it has seen, each as wide as the strip.
void lines_of(const Strip& strip, std::string_view cell, std::vector<std::string>& lines);

// Wraps a text column to `width`, or to its longest word where that is not too long.
void narrow(Strip& strip, std::size_t width);

// The width of a text column between others, and the least of the last one.
inline constexpr std::size_t widest_text = 24, least_wrap = 22;

// What they need beside one another; and what they need once long texts are wrapped.
std::size_t natural_width(const std::vector<Strip>& strips, std::size_t indent);
std::size_t least_width(const std::vector<Strip>& strips, std::size_t indent);

// Headings of several words above narrower numbers become several lines, as few as fit into `width`. False,
// and nothing is changed, where that is not enough.
bool narrow_heads(std::vector<Strip>& strips, std::size_t width, std::size_t indent);

} // namespace perfmodel::cli
