// Where the cells and arrows of a drawing stand, in px.
#pragma once

#include "layout.hpp"

#include "models/drawings/drawing.hpp"

#include <string>
#include <vector>

namespace perfmodel::plots {

// A drawing as it is to be seen: with another title, or notes and caption below it.
struct DrawingFigure {
  Drawing drawing;
  std::string title, description;
  std::vector<std::string> notes;
  std::string caption;
  bool monochrome = false; // kinds differ by how dark they are
};

// As it is drawn where nobody says more than how it looks.
DrawingFigure figure_of(const Drawing& drawing);

// The height that suits it at that width, when nobody asks for another.
Size natural_size(const DrawingFigure& figure);

// That size, or one as wide and so high that every row has its name, up to a page.
Size readable_size(const DrawingFigure& figure, Size size);

// Throws NoRoom when the cells would be lower than can be seen, InputError when the size is too small to draw
// in (under 320 x 200).
Layout layout(const DrawingFigure& figure, Size size);

} // namespace perfmodel::plots
