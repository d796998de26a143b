// What the line and the bar chart of a sweep share: reading, axes, measured points, notes.
#pragma once

#include "chart.hpp"
#include "sweep_series.hpp"

#include <functional>
#include <string>
#include <vector>

namespace perfmodel::plots {

struct SweepDrawing {
  Sweep predicted;
  std::vector<Sweep> measured;
  std::vector<std::string> names; // of all series, predicted ones first
  std::vector<std::string> notes;
  double roof = absent; // the value that all rows say they have a share of: their column of_roof

  std::size_t place(const std::string& series) const; // in `names`: its colour, dash and shape
  // "ilp 4: 128 threads, 2.1 TB/s".
  std::string text(const std::string& series, double x, double y) const;
};

SweepDrawing read_sweeps(const Result& predicted, const std::vector<Result>& measured,
                         const ChartChoice& choice);

// Axes over everything that is drawn, title and notes.
Chart framed(const SweepDrawing& drawing, const Result& predicted, const ChartChoice& choice);

// Hollow points with whiskers, in the colour and shape of their series, moved sideways by `shift(series)`.
void add_measured(Chart& chart, const SweepDrawing& drawing,
                  const std::function<double(const std::string&)>& shift);

// The predicted value at exactly this x, NaN when there is none.
double predicted_at(const SweepDrawing& drawing, const std::string& series, double x);

// At most about `most` rows: the first, lowest, highest and last of each stretch.
std::vector<SweepRow> thinned(const std::vector<SweepRow>& rows, std::size_t most);

} // namespace perfmodel::plots
