// Who takes the rows of a sweep that is too long to be held.
//
// 10^6 points of one table are 100 MB of cells, and a format makes several times that of them, while most who
// ask for so many pipe them on. With a sink the sweep keeps one block of each table:
//
//   sweep --block_rows rows at a time--> RowSink --what a format needs--> Table in the Result, or rows it
//   kept
//
// * Rows come in the order of the table, and all of them come before predict() returns. A sink may not write
//   any: that the point after them is refused, that a value is larger than any number, or that no row has a
//   key, which is then no column, is known at the end alone. So an answer is whole or not at all, on stdout
//   as well, as it is without a sink. What is written in another order than it comes (JSON has columns) is
//   kept all the same.
// * A table that never fills a block is not handed over: it is in the result, by the same way and to the byte
//   as without a sink.
// * Whoever needs whole tables (charts, --measured, validate, compare) asks without a sink.
#pragma once

#include "table.hpp"

#include <vector>

namespace perfmodel {

class RowSink {
public:
  static constexpr std::size_t usual_block = 4096; // some hundred kB: what a core's caches hold

  explicit RowSink(std::size_t rows_of_a_block = usual_block) : block_rows(rows_of_a_block) {}
  virtual ~RowSink() = default;
  RowSink(const RowSink&) = delete;
  RowSink& operator=(const RowSink&) = delete;

  // The next rows of the sweep's table of this number: as many as a block has, more only where one point has
  // several; fewer at the end. Its columns are the same every time.
  virtual void take(std::size_t table, const Table& rows) = 0;

  // The table has no more rows. `kept` says for each column whether it has any value: one that has none and
  // is a key is no column of the answer. Returns what the result holds in the table's place: the columns that
  // are kept, the rows that are to be shown from there, if any, and in `of_rows` how many there were.
  virtual Table close(std::size_t table, const std::vector<bool>& kept) = 0;

  const std::size_t block_rows;
};

} // namespace perfmodel
