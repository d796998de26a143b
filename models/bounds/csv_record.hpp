// One record of a CSV text: cells, quotes, line breaks inside quotes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

// Throws InputError that names the line of a file of points.
[[noreturn]] void refuse(std::size_t line, std::string_view what);

// Without the white space around it.
std::string clean(std::string_view cell);

// The cells of one record, which ends at a line break outside quotes; `line` counts on across quoted breaks.
// Takes it from `text`. Throws InputError: binary data, a quote that never closes, a cell or a row too long.
std::vector<std::string> take_record(std::string_view& text, std::size_t& line);

} // namespace perfmodel
