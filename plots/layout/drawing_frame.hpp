// What stands around a drawing, and how high the whole has to be.
#pragma once

#include "drawing_layout.hpp"
#include "drawing_looks.hpp"

namespace perfmodel::plots {

constexpr double scale_height = 24; // px, of the line with ticks below a drawing of quantities
constexpr double highest_unit = 64; // px, of a unit where places are drawn and not quantities

// Title, legend and notes; the plot between them is free.
Layout frame_around(const DrawingFigure& figure, const std::vector<CellLook>& looks, Size size);

} // namespace perfmodel::plots
