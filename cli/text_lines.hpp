// Text on a screen, measured in columns of the terminal.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

// How many columns of a terminal UTF-8 text takes (one per code point).
std::size_t width_of(std::string_view text);
std::string padded(std::string_view text, std::size_t width, bool right = false);
// The width of the longest word between blanks.
std::size_t longest_word(const std::string& text);

// Lines of at most `width` characters, broken at spaces where there are any, but not within 1 073 741 824,
// and within a quantity or a command only where there is no other (line_breaks.hpp); a word that is longer
// than a line behind one of its commas.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

} // namespace perfmodel::cli
