// One point of a roofline after the other: its dot, its name, its tooltip, the arrow that leads to it.
#pragma once

#include "chart.hpp"
#include "roofline_machine.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel::plots {

inline constexpr double inner_radius = 1.8; // px of a predicted dot that lies in a measured marker

// A device and a precision: the points of one colour and shape.
struct PointSeries {
  std::string gpu, precision;
  int colour;
  Shape shape;
  bool measured = false, predicted = false, attainable = false, whiskers = false;
};

// The last point of a path, from which the next arrow starts.
struct PathEnd {
  Point at;
  double radius = 0;
  std::string name;
  int steps = 0; // so far
};

// Device and path of those of several points that all have one intensity: they go straight up.
using Paths = std::set<std::pair<std::string, std::string>>;
Paths upright_paths(const std::vector<PointRow>& points);

struct PointDrawer {
  Chart& chart;
  const RooflineMachine& machine;
  const Paths& upright;
  std::vector<PointSeries> series{};
  std::map<std::pair<std::string, std::string>, PathEnd> paths{}; // by device and path
  int dropped = 0, above = 0, unnamed_above = 0;

  // Measured points stand where they were measured, with a small dot where they were predicted; not on a path
  // that goes straight up, where the dots would lie on the arrows.
  void add(const PointRow& point);

private:
  PointSeries& series_of(const PointRow& point);
  // The number of this step of its path, with an arrow from the step before.
  int step_of(const PointRow& point, const ChartDot& dot);
};

} // namespace perfmodel::plots
