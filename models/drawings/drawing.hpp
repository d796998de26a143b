// A picture of a mechanism, as a model knows it: cells in rows, each with what stands in it and which kind it
// is of, and arrows between them. No colours, no sizes: plots/ draws any of them, and as a table it is the
// same for who cannot see it.
#pragma once

#include "models/core/result.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

struct Drawing {
  // quiet: what is there and has no part in it, such as a lane that idles; alarm: what costs.
  enum class Tone { series, quiet, alarm };
  struct Kind {
    std::string name; // of the legend; "": it has no line there
    Tone tone = Tone::series;
  };
  // In units of the drawing, x to the right, y downwards.
  struct Cell {
    double left = 0, top = 0, width = 1, height = 1;
    std::string text, title; // the title is the tooltip, and tells the whole
    std::size_t kind = 0;
    bool open = false; // where it ends is not known, or never: how wide it is drawn says nothing
  };
  struct Arrow {
    double from_x = 0, from_y = 0, to_x = 0, to_y = 0;
    std::string title;
    Tone tone = Tone::quiet;
    bool line = false; // without a head: an edge between what lies on both sides
  };
  struct Name {
    double at = 0; // the middle of a row or a column
    std::string text;
  };

  std::string model, name, title;
  std::vector<std::string> verdict; // what is to be seen, in one or two sentences
  std::vector<Kind> kinds;
  std::vector<Cell> cells;
  std::vector<Arrow> arrows;
  std::vector<Name> rows, columns; // left of the rows, above the columns
  double width = 1, height = 1;
  std::string across; // what a scale below counts; "": there is none, x is a place and not a quantity
  Unit across_unit;
  double scale_to = 0; // where the scale ends; 0: at the right edge
};

// From the lower edge of one cell to the upper edge of another.
inline Drawing::Arrow arrow_down(const Drawing::Cell& from, const Drawing::Cell& to) {
  return {.from_x = from.left + from.width / 2,
          .from_y = from.top + from.height,
          .to_x = to.left + to.width / 2,
          .to_y = to.top,
          .title = {}};
}

// Its cells and arrows as tables, for formats without pictures and for pages.
Result as_result(const Drawing& drawing);

} // namespace perfmodel
