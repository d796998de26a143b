// The rows of a sweep for text that has all of them: what stands above and below them is told by the ends.
#pragma once

#include "ends.hpp"
#include "spool.hpp"

namespace perfmodel::cli {

class AllAndEnds final : public RowSink {
public:
  explicit AllAndEnds(std::size_t rows_of_a_block = usual_block)
      : RowSink(rows_of_a_block), all(rows_of_a_block), ends(rows_of_a_block) {}

  void take(std::size_t table, const Table& rows) override {
    all.take(table, rows);
    ends.take(table, rows);
  }
  // A table that the ends have whole is none of `all`.
  Table close(std::size_t table, const std::vector<bool>& kept) override {
    Table shown = ends.close(table, kept);
    if (shown.of_rows > 0) all.close(table, kept);
    return shown;
  }

  Spool all;
  Ends ends;
};

} // namespace perfmodel::cli
