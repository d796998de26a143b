// Hands the rows of a sweep on to `to`, and says how many there were so far.
#pragma once

#include "cli/progress.hpp"
#include "models/core/row_sink.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace perfmodel::cli {

class CountedRows final : public RowSink {
public:
  CountedRows(RowSink& to, Progress& progress, std::string of)
      : RowSink(to.block_rows), to_(to), progress_(progress), of_(std::move(of)) {}

  void take(std::size_t table, const Table& rows) override {
    rows_ += rows.rows();
    progress_.say(fmt::format("{}, {} rows", of_, rows_));
    to_.take(table, rows);
  }
  Table close(std::size_t table, const std::vector<bool>& kept) override { return to_.close(table, kept); }

private:
  RowSink& to_;
  Progress& progress_;
  std::string of_;
  std::size_t rows_ = 0;
};

} // namespace perfmodel::cli
