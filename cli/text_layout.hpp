// Columns of text on a screen: widths in characters, numbers aligned on their units.
#pragma once

#include "models/core/table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

// How many columns of a terminal UTF-8 text takes (one per code point).
std::size_t width_of(std::string_view text);
std::string padded(std::string_view text, std::size_t width, bool right = false);

// Lines of at most `width` characters, broken at spaces where there are any.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

// "bandwidth_needed" -> "bandwidth needed".
std::string heading(std::string_view name);

// The rows whose keys name a precision or unit that counts integers.
std::vector<bool> integer_rows(const Table& table);

// The cell as people read it: "177.4 GB/s"; flop as op where the row is one of integers.
std::string cell_text(const Column& column, std::size_t row, bool integers = false);

// A table as lines that fit `width`: columns without any value are left out; headings are broken at words
// where that makes a table fit; one that is still too wide is cut into blocks that repeat its first column,
// or, when it has few rows, turned on its side.
// `integers` is integer_rows of the table before keys moved into its heading.
std::string layout(const Table& table, std::size_t width, std::size_t indent,
                   const std::vector<bool>& integers = {});

} // namespace perfmodel::cli
