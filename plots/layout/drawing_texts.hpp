// How the texts of cells fit into them: all alike where all cells are alike, or none.
#pragma once

#include "layout.hpp"

#include <optional>
#include <string>
#include <vector>

namespace perfmodel::plots {

struct CellText {
  std::string text;
  Rect room;
  bool on_stripes = false; // on which a text cannot be read without a halo
};

// Size in px and whether the texts stand upright. None: they have no room.
struct TextFit {
  double size = 13;
  bool upright = false;
};

// The least that can be read, px: on a screen and a slide, and in the column of a journal, where it is 6 pt.
inline constexpr double least_text = 8, least_text_in_column = 11.2;

// From the foot to the top of what stands in a text, in parts of its size: numbers are lower than words.
struct TextHeight {
  double above = 0, below = 0; // the line on which it stands
};
TextHeight height_of(const std::string& text);

// The largest that all of them can have, from that of labels down to the least.
std::optional<TextFit> fit_of(const std::vector<CellText>& texts, double least);

} // namespace perfmodel::plots
