// Marks of a chart put in their places: adds to the layout what is drawn, and to `wanted` what is to be
// labelled.
#pragma once

#include "labels.hpp"
#include "layout.hpp"

namespace perfmodel::plots {

// From the data's units to px.
struct Mapping {
  const ChartAxis &x, &y;
  Rect plot;
  Point operator()(Point p) const; // NaN for what a log axis cannot show
};

struct Wanted {
  std::vector<EndLabel> ends, insides;
  std::vector<AlongLabel> alongs;
  std::vector<DotLabel> dots, bars;
  std::vector<RegionLabel> regions;
};

void add_region(Layout& layout, Wanted& wanted, const Region& region, const Mapping& map);
// Its cells in at most `shades` strengths of colour, the counts by their logarithm.
inline constexpr int shades = 6;
// Of the n-th shade, from 0: the palest can still be seen on white.
inline double strength_of(int shade) { return 0.25 + 0.75 * shade / (shades - 1); }
void add_density(Layout& layout, const Density& density, const Mapping& map);
void add_bar(Layout& layout, Wanted& wanted, const Bar& bar, const Mapping& map);
// Of the points in a column of `column` px the first, lowest, highest and last are drawn; 0: all.
void add_line(Layout& layout, Wanted& wanted, const ChartLine& line, const Mapping& map, double column = 0);
// The column with which the lines of a chart come to a few megabytes at most; 0 where they do anyway.
double column_of(const Chart& chart, double width);
// None between dots that coincide or are too close for a head.
void add_arrow(Layout& layout, const ChartArrow& arrow, const Mapping& map);
void add_dot(Layout& layout, Wanted& wanted, const ChartDot& dot, std::size_t index, const Mapping& map);

} // namespace perfmodel::plots
