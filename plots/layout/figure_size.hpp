// How large a figure is where it is read, and how large its text is there.
#pragma once

#include "layout.hpp"

#include <string>
#include <string_view>

namespace perfmodel::plots {

// As SVG and CSS write it: "85mm", "960pt", "1280px", "3.5in". A px is 1/96 in.
struct Length {
  double value = 0;
  std::string unit; // mm, pt, px or in
  double points() const;
  std::string text() const;
};

struct FigureSize {
  Length width, height;
  double font = 7;        // pt, of labels and ticks; notes are 12/13 of it
  double dpi = 300;       // of a PNG
  bool captioned = false; // stands where its caption is wanted
  bool grows = false; // only its width is asked for: it is higher where what is drawn or written needs that

  // In the px of the layout, in which labels are 13 px.
  Size layout() const;
  int png_width() const; // pixels
  // As high as so many px of the layout.
  FigureSize with_layout_height(int px) const;
};

// "slide" (13.33 x 7.5 in), "column" (85 mm wide, as of a journal with two, and 70 mm high or more), or width
// x height, as "85mmx60mm", "3.5x2.5in", "1280x720". Text is 7 pt and more: it grows with the figure up to
// the 18 pt of a slide. Throws InputError when it is none of these, or has no room for text.
FigureSize figure_size(std::string_view text);

} // namespace perfmodel::plots
