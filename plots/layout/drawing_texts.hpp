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

// The largest that all of them can have, from that of labels down to the least that can be read.
std::optional<TextFit> fit_of(const std::vector<CellText>& texts);

} // namespace perfmodel::plots
