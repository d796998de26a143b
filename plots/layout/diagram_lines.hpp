// How the lines of a diagram go from box to box, and where their labels stand.
#pragma once

#include "diagram_boxes.hpp"

namespace perfmodel::plots {

// Counts labels without room in `l.unplaced`.
void place_lines(const Diagram& diagram, const PlacedBoxes& boxes, Layout& l);

} // namespace perfmodel::plots
