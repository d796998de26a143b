// Results as the models make them, written by hand: what the chart tests draw.
#pragma once

#include "plots/chart/chart.hpp"
#include "plots/layout/layout.hpp"

#include "models/core/result.hpp"

#include <string>
#include <utility>
#include <vector>

namespace perfmodel::plots::test {

struct Rate {
  std::string ceiling, precision, basis;
  double rate;
};
struct Slope {
  std::string ceiling, level, basis;
  double bandwidth;
};
struct Kernel {
  std::string name, precision, level;
  double intensity, attainable, achieved, low = absent, high = absent;
  std::string path = "";
  double predicted = absent;
};
struct Machine {
  std::string gpu;
  std::vector<Rate> rates;
  std::vector<Slope> slopes;
  std::vector<Kernel> kernels = {};
};

Machine m2090();
Machine h200();
Machine a100();
Machine rtx4090();
Machine b200();
Machine c1060();

Result roofline(const std::vector<Machine>& machines);

// An intensity sweep that reaches `part` of the roof, a little less at the ridge.
Result sweep(const Machine& machine, const std::string& precision, double part);

// A table with a key column x, a key column series and a value column y, in that order.
struct Sample {
  double x;
  std::string series;
  double y;
};
Result lines(const std::vector<Sample>& samples, Kind kind = Kind::predicted);

// The fraction of peak over threads per block for some ILP, as `latency-hiding` gives it: 4 cycles of
// latency, four sub-partitions, which the fullest of decides. `measured` is a little less, has other unrolls
// and operand counts beside what was asked, and whiskers.
Result curve(const std::vector<int>& ilps);
Result measured_curve(const std::vector<int>& ilps);

// Occupancy over threads per block, as `occupancy` gives it: 64 warps, 32 blocks of an SM.
Result staircase();

// The same with the column `grade`, which goes round the words given, in each of its tables.
Result graded(Result result, const std::vector<std::string>& grades);

// A ladder: text rungs, one value each.
Result ladder(const std::vector<std::pair<std::string, double>>& rungs, Kind kind = Kind::predicted);

// The versions of a matrix product on an H200, predicted or measured too; of a sum, all at one intensity, and
// three of them on one another.
Machine matmul_ladder(bool measured);
Machine upright_ladder(bool measured);

// Kernels scattered under the roof of an H200, the same from every run.
Machine with_kernels(Machine machine, int count);

// The charts every property of a picture is tested on, by name: few and many devices, points, series, odd
// values. Made once, as is what follows.
const std::vector<std::pair<std::string, Chart>>& all_charts();

// Each of them laid out for four sizes.
struct LaidOut {
  std::string name;
  Scale x_scale;
  Size size;
  Layout layout;
};
const std::vector<LaidOut>& all_layouts();

// Each of them as SVG, by name.
const std::vector<std::pair<std::string, std::string>>& all_svgs();

// The dot whose label has this in it; nullptr: there is none.
inline const ChartDot* dot_named(const Chart& chart, const std::string& part) {
  for (const ChartDot& dot : chart.dots)
    if (dot.label.find(part) != std::string::npos) return &dot;
  return nullptr;
}

// All texts around the plot, its notes among them, one after the other.
std::string notes_of(const Layout& l);

} // namespace perfmodel::plots::test
