// Where the boxes of a diagram stand: row below row, each as high and as far from the next as its names and
// lines need.
#pragma once

#include "layout.hpp"
#include "plots/chart/diagram.hpp"

#include <string>
#include <vector>

namespace perfmodel::plots {

inline constexpr double box_gap = 8; // px, between boxes, and from a line to its label

struct PlacedBoxes {
  std::vector<Rect> rects;     // in the order of the diagram's boxes
  std::vector<double> heights; // of the boxes of each row
};

// Puts boxes, their names and the kinds of each row into the plot of `l`. Throws NoRoom when rows would stand
// one on another.
PlacedBoxes place_boxes(const Diagram& diagram, Layout& l);

// A text of the size of labels around a point.
Text text_around(const std::string& words, Point centre, int colour);

} // namespace perfmodel::plots
