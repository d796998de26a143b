// Where the boxes and lines of a diagram stand, in px.
#pragma once

#include "layout.hpp"
#include "plots/chart/diagram.hpp"

namespace perfmodel::plots {

// That size, or one as wide and so high that rows, legend and caption have room.
Size readable_size(const Diagram& diagram, Size size);

// Throws NoRoom when rows would stand one on another, InputError when the size is too small to draw in (under
// 320 x 200).
Layout layout(const Diagram& diagram, Size size = {});

} // namespace perfmodel::plots
