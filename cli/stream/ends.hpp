// The rows of a long sweep that text and Markdown may show or speak of.
#pragma once

#include "models/core/row_sink.hpp"

#include <vector>

namespace perfmodel::cli {

// Keeps the first and the last rows of each table, as many as an excerpt shows, and between them for every
// column a row with its least number, one with its greatest, one without any, or one with another text than
// the first row's: a column has one value in the rows that are kept if it has one in all of them. Up to
// `whole_sweep` rows a table is kept whole.
class Ends final : public RowSink {
public:
  using RowSink::RowSink;

  void take(std::size_t table, const Table& rows) override;
  Table close(std::size_t table, const std::vector<bool>& kept) override;

private:
  struct Kept {
    std::size_t rows = 0;
    Table first, last;
    std::vector<Table> others; // of one row or none: three for each column
  };
  std::vector<Kept> tables_;
};

} // namespace perfmodel::cli
