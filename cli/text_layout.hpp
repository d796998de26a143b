// A table on a screen: which of its columns stand beside one another.
#pragma once

#include "models/core/table.hpp"

#include <string>
#include <vector>

namespace perfmodel::cli {

// A table as lines that fit `width`: columns without any value are left out; headings are broken at words
// where that makes a table fit; one that is still too wide is cut into blocks that repeat its first column,
// or, when it has few rows, turned on its side.
// `integers` is integer_rows of the table before keys moved into its heading.
std::string layout(const Table& table, std::size_t width, std::size_t indent,
                   const std::vector<bool>& integers = {});

} // namespace perfmodel::cli
