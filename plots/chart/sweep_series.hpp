// What any sweep's chart shows: rows of a result cut into series, from the columns its ChartChoice names.
#pragma once

#include "chart.hpp"

#include "models/core/result.hpp"

#include <string>
#include <vector>

namespace perfmodel::plots {

struct SweepRow {
  double x = 0, y = 0, low = absent, high = absent;
  Grade grade = Grade::known;
};

struct SweepSeries {
  std::string name;
  std::vector<SweepRow> rows; // by rising x
};

struct Sweep {
  Column x, y;                         // names and units only
  std::vector<std::string> categories; // of an x that is text or shown as bars; x is then an index into them
  std::vector<std::string> split;      // the columns that tell series apart
  std::vector<SweepSeries> series;
  std::string gpu;         // of all rows, "" when it varies or is not given
  std::size_t dropped = 0; // rows without a number, or not above zero on a log axis
};

// A series is the rows with the same value in the chosen column (no name: none) and in every other key column
// that has to be told apart because an x would have two values. `like` gives the categories and columns to
// continue. Throws InputError when the result has no table, or no such column.
Sweep sweep_of(const Result& result, const ChartChoice& choice, const Sweep* like = nullptr);

// The first table with both columns; the first of all when none has, for the error that names its columns.
const Table& charted_table(const Result& result, const ChartChoice& choice);

// A column's name for people: "threads per block", "ILP".
std::string readable(const std::string& name);

} // namespace perfmodel::plots
