// The points of a chart as SVG: their shapes, and how they are filled.
#pragma once

#include "plots/layout/layout.hpp"
#include "theme.hpp"

#include <string>
#include <vector>

namespace perfmodel::plots {

// "M0 0L1 2" of a line through these points.
std::string outline(const std::vector<Point>& points);

// All shapes look equally large at one radius.
std::string marker(Shape shape, Point at, double radius, const std::string& paint);

std::string marker_paint(const Theme& theme, int colour, bool filled, bool warning);

// Half of it filled, or none and a bar through it: hollow ones are measured.
std::string graded_marker(const Theme& theme, Shape shape, Point at, double radius, int colour, Grade grade);

} // namespace perfmodel::plots
