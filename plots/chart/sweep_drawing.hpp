// What the line and the bar chart of a sweep share: reading, axes, measured points, notes.
#pragma once

#include "chart.hpp"
#include "sweep_series.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace perfmodel::plots {

struct SweepDrawing {
  Sweep predicted;
  std::vector<Sweep> measured;
  std::string beside = "measured";                     // what those are: measured, published, or both
  std::vector<std::string> names;                      // of all series, predicted ones first
  std::unordered_map<std::string, std::size_t> places; // of the names
  std::vector<std::string> notes;
  double roof = absent; // the value that all rows say they have a share of: their column of_roof

  bool has_measured() const;                          // a row that is drawn
  std::size_t place(const std::string& series) const; // in `names`: its colour, dash and shape
  // "ilp 4: 128 threads, 2.1 TB/s, inherited cost".
  std::string text(const std::string& series, const SweepRow& row) const;
};

SweepDrawing read_sweeps(const Result& predicted, const std::vector<Result>& measured,
                         const ChartChoice& choice);

// Axes over everything that is drawn, title and notes.
Chart framed(const SweepDrawing& drawing, const Result& predicted, const ChartChoice& choice);
// What the hardware allows at most, or at least where it is a time, across the whole chart: nothing where the
// rows are held against several roofs.
void add_roof(Chart& chart, const SweepDrawing& drawing);

// A dot that may be drawn: a row of a series.
struct SweepDot {
  const SweepSeries* series = nullptr;
  std::size_t row = 0;
  bool measured = false;
};
// Those of all measured rows.
std::vector<SweepDot> measured_dots(const SweepDrawing& drawing);
// Draws them, predicted ones as `mark` makes them, measured ones hollow with whiskers in the colour and shape
// of their series, moved sideways by `shift(series)`; a density where they are too many.
void add_dots(Chart& chart, const SweepDrawing& drawing, const std::vector<SweepDot>& dots,
              const std::function<double(const std::string&)>& shift,
              const std::function<ChartDot(const SweepDot&)>& mark);

// The predicted value at exactly this x, NaN when there is none.
double predicted_at(const SweepDrawing& drawing, const std::string& series, double x);

} // namespace perfmodel::plots
