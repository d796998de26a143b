// A table's names and cells as people read them, in text and in Markdown.
#pragma once

#include "models/core/table.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

// "bandwidth_needed" -> "bandwidth needed".
std::string heading(std::string_view name);

// The rows whose keys name a precision or unit that counts integers.
std::vector<bool> integer_rows(const Table& table);
// The same of `size` rows: a column of one cell has it in all of them.
std::vector<bool> integer_rows(const Table& table, std::size_t size);

// The cell as people read it: "177.4 GB/s"; flop as op where the row is one of integers.
std::string cell_text(const Column& column, std::size_t row, bool integers = false);

// The same below the column's head, which may say what is counted: "256" threads.
std::string text_under_head(const Column& column, std::size_t row, bool integers = false);

} // namespace perfmodel::cli
