// The points of a roofline chart: measured ones hollow, predicted ones solid (a small dot inside the measured
// one), attainable ones as a dot on the roof, impossible ones in red; arrows from each step of a path to the
// next. Points too many to tell apart are a density, without arrows.
#pragma once

#include "chart.hpp"
#include "roofline_machine.hpp"

#include <cstddef>
#include <vector>

namespace perfmodel::plots {

// How many of a density's points lie outside the axes. Names the points for the picture.
std::size_t add_points(Chart& chart, const RooflineMachine& machine, std::vector<PointRow>& points);

} // namespace perfmodel::plots
