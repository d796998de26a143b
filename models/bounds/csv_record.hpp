// One record of a CSV text: cells, quotes, line breaks inside quotes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

// Of the file that records are taken from: what messages call it, and how much one may hold.
struct CsvLimits {
  std::string_view file = "points";
  std::size_t cell = 10'000; // characters
  std::size_t columns = 1'000;
};

// Throws InputError that names the file and the line.
[[noreturn]] void refuse(std::size_t line, std::string_view what, std::string_view file = "points");

// Without the white space around it.
std::string clean(std::string_view cell);

// The cells of one record, which ends at a line break outside quotes; `line` counts on across quoted breaks.
// Takes it from `text`. Throws InputError: binary data, a quote that never closes, a cell or a row too long.
std::vector<std::string> take_record(std::string_view& text, std::size_t& line, const CsvLimits& limits = {});

} // namespace perfmodel
