// A table of a paper: in which letters it is set, and which of its columns stand beside one another.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace perfmodel::cli {

// What the layout has to know of a column. Widths are in letters.
struct LatexColumn {
  bool is_text = false, leads = false; // leads: a key, which every part of the table repeats
  std::string head;
  std::size_t cells = 0; // its widest cell
  std::size_t word = 0;  // the longest part of a cell that cannot be broken
};

struct LatexPlaced {
  std::size_t column;            // of the table
  std::vector<std::string> head; // its lines
  std::string side;              // "r", "l", or "p{44pt}" of a paragraph
};

struct LatexLayout {
  std::string size;                            // what sets the letters and the room between columns, or ""
  std::vector<std::vector<LatexPlaced>> parts; // one below the other; none of a table on its side
  // Of a table on its side, a line for each column and the rows beside one another: how a row is set.
  std::string row_side;
};

// Of a table that is to fit between the margins that LaTeX leaves on A4 at 10 points: heads are broken at
// words, letters get smaller, long texts become paragraphs; a table of few rows that is still too wide is
// turned on its side, any other is cut into parts that repeat its first columns. No column may be wider than
// the page by itself, but for words that cannot be broken.
LatexLayout latex_layout(const std::vector<LatexColumn>& columns, std::size_t rows);

} // namespace perfmodel::cli
