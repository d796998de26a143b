// The rows of a sweep, kept for formats that have all of them: some bytes a row, most of them not in memory.
#pragma once

#include "cells.hpp"
#include "spill.hpp"

#include "models/core/row_sink.hpp"

#include <vector>

namespace perfmodel::cli {

class Spool final : public RowSink {
public:
  using RowSink::RowSink;

  void take(std::size_t table, const Table& rows) override;
  Table close(std::size_t table, const std::vector<bool>& kept) override;

  // Tables that were closed, in the result's order: there they have `of_rows`.
  std::size_t tables() const { return closed_.size(); }
  // From now on the only one, the first; none where there is no such table.
  void keep_only(std::size_t closed);
  std::size_t blocks(std::size_t closed) const;
  // The cells of one block of one of the columns that the result's table has.
  Cells cells(std::size_t closed, std::size_t column, std::size_t block) const;

private:
  struct Piece {
    std::uint64_t at;
    std::size_t size;
  };
  struct Spooled {
    Table head; // no rows
    std::size_t rows = 0;
    std::vector<Piece> pieces;        // block by block, one of each column
    std::vector<std::size_t> columns; // those that are kept
  };

  Spill spill_;
  std::vector<Spooled> tables_;
  std::vector<std::size_t> closed_;
};

} // namespace perfmodel::cli
