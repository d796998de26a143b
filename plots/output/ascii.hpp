// Text for a terminal that knows ASCII alone.
#pragma once

#include <string>
#include <string_view>

namespace perfmodel::plots {

// Words of a chart: "10⁷" becomes "10^7", "µ" "u"; what has no likeness a question mark.
std::string ascii_words(std::string_view text);

// A drawing, column for column: braille dots, lines, markers.
std::string ascii_drawing(std::string_view text);

} // namespace perfmodel::plots
