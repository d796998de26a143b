// The points of a roofline chart: measured ones hollow, predicted ones solid (a small dot inside the measured
// one), attainable ones as a dot on the roof, impossible ones in red; arrows from each step of a path to the
// next.
#pragma once

#include "chart.hpp"
#include "roofline_machine.hpp"

namespace perfmodel::plots {

void add_points(Chart& chart, const RooflineMachine& machine, std::vector<PointRow> points);

} // namespace perfmodel::plots
