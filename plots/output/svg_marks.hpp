// One mark of a layout as SVG, appended to `out`.
#pragma once

#include "plots/layout/layout.hpp"
#include "theme.hpp"

#include <string>

namespace perfmodel::plots {

void write_region(std::string& out, const Theme& theme, const PlacedRegion& region);
void write_cells(std::string& out, const Theme& theme, const PlacedCells& cells);
void write_bar(std::string& out, const Theme& theme, const PlacedBar& bar);
void write_line(std::string& out, const Theme& theme, const PlacedLine& line);
void write_arrow(std::string& out, const Theme& theme, const PlacedArrow& arrow);
void write_dropped(std::string& out, const Theme& theme, const PlacedDot& dot);
void write_dot(std::string& out, const Theme& theme, const PlacedDot& dot);
void write_sample(std::string& out, const Theme& theme, const PlacedSample& sample);

} // namespace perfmodel::plots
