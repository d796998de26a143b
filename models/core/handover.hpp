// The tables of a sweep on their way out: to a RowSink, or whole into the result.
#pragma once

#include "filling.hpp"
#include "result.hpp"
#include "row_sink.hpp"
#include "sweep_grade.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace perfmodel::detail {

class Handover {
public:
  // Without a sink tables grow until they are taken.
  explicit Handover(RowSink* sink) : sink_(sink) {}

  // The rows to make room for where a table is to have so many.
  std::size_t room(std::size_t rows) const;
  // Hands over those of the tables that have a block; the first of them is the sweep's table `first`.
  void offer(std::vector<Filling>& tables, std::size_t first);
  // The tables go into the result, but for those without any row.
  void keep(std::vector<Filling>& tables, std::size_t first, Result& result);
  // Inputs of any size are taken; what comes of them must be a number. Throws InputError.
  void refuse_infinite(const Result& result) const;

  // Of all rows that were kept or handed over.
  const SweepGrade& grades() const { return grades_; }

private:
  struct Handed { // of one table
    std::size_t rows = 0;
    std::vector<bool> has_value, has_infinite; // each column
  };
  void hand_over(Filling& filling, std::size_t table);

  RowSink* sink_;
  SweepGrade grades_;
  std::vector<Handed> handed_;
  std::vector<std::string> infinite_; // of each table of the result that was handed over: the column, or ""
};

} // namespace perfmodel::detail
