// A table on a screen: which of its columns stand beside one another.
#pragma once

#include "hwdb/text_file.hpp"
#include "models/core/table.hpp"

#include <functional>
#include <string>
#include <vector>

namespace perfmodel::cli {

// Some rows of a table. A column of one cell has it in all of them.
struct RowBlock {
  const Table& rows;
  std::size_t size;
  const std::vector<bool>& integers; // integer_rows before keys moved into the heading
};
using Visit = std::function<void(const RowBlock&)>;
// Visits the blocks of a table in order, as often as it is called.
using EachBlock = std::function<void(const Visit&)>;

// A table as lines that fit `width`: columns without any value are left out; headings are broken at words
// where that makes a table fit; one that is still too wide is cut into blocks that repeat its first column,
// or, when it has few rows, turned on its side. The rows are read once for the widths, and once for each of
// the blocks.
void lay_out(const EachBlock& each_block, std::size_t width, std::size_t indent, const hwdb::Write& write);

// The same of a table that is held.
std::string layout(const Table& table, std::size_t width, std::size_t indent,
                   const std::vector<bool>& integers = {});

} // namespace perfmodel::cli
