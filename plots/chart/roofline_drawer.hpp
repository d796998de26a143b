// One point of a roofline after the other: its dot, its name, its tooltip, the arrow that leads to it.
#pragma once

#include "chart.hpp"
#include "roofline_machine.hpp"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel::plots {

// px of a predicted dot that lies in a measured marker, and of one that is half open there
inline constexpr double inner_radius = 1.8, open_inner_radius = 2.6;

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

struct PlacedPoint {
  double y = 0, fraction = absent; // of its roof
  std::size_t series = 0;
  bool measured = false, predicted = false, both = false, warning = false;
};

struct PointDrawer {
  Chart& chart;
  const RooflineMachine& machine;
  const Paths& upright;
  std::vector<PointSeries> series{};
  std::map<std::pair<std::string, std::string>, PathEnd> paths{};    // by device and path
  std::map<std::array<std::string, 2>, std::size_t> series_places{}; // by device and precision
  std::map<std::array<std::string, 3>, Limits> limits{};             // by device, precision and level
  unsigned taken_shapes = 0;                                         // a bit for each shape
  int dropped = 0, above = 0, unnamed_above = 0;

  // Where the point stands and what it counts as; none when it cannot be drawn.
  std::optional<PlacedPoint> place(const PointRow& point);
  // Measured points stand where they were measured, with a small dot where they were predicted; not on a path
  // that goes straight up, where the dots would lie on the arrows.
  void add(const PointRow& point, const PlacedPoint& placed);

private:
  std::size_t series_of(const PointRow& point);
  double roof_of(const PointRow& point);
  // The number of this step of its path, with an arrow from the step before.
  int step_of(const PointRow& point, const ChartDot& dot);
};

} // namespace perfmodel::plots
