// A text as lines, cut between words. What belongs together, such as a number and its unit, stays on one
// line.
#pragma once

#include <string>
#include <vector>

namespace perfmodel::plots {

// As many words in each line as `width` px have room for.
std::vector<std::string> wrapped(const std::string& text, double width, double size, bool bold = false);
// As few lines, all about equally long, of two the first up to a colon: no last line of a word alone.
std::vector<std::string> balanced(const std::string& text, double width, double size, bool bold = false);

} // namespace perfmodel::plots
