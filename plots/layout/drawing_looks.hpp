// How the cells of each kind of a drawing look.
#pragma once

#include "drawing_layout.hpp"

#include <vector>

namespace perfmodel::plots {

struct CellLook {
  int colour = ink;
  double strength = 0.3;
  Fill fill = Fill::pale;
};

// By kind. Series take turns in the palette's colours, and then in stripes; in black and grey they differ by
// how dark they are and by stripes.
std::vector<CellLook> looks_of(const DrawingFigure& figure);

} // namespace perfmodel::plots
