// Marks that are too many to be told apart become a density: counts in the cells of a grid over the plot.
#pragma once

#include "chart.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace perfmodel::plots {

inline constexpr std::size_t most_dots = 4000;            // of a picture; a denser one is a density
inline constexpr std::size_t most_lone = 2000;            // dots that keep their marks in it
inline constexpr std::size_t most_lines = 300;            // of a picture
inline constexpr std::size_t most_bars = 1000;            // of a picture: less than a pixel each
inline constexpr int grid_columns = 192, grid_rows = 108; // about 4 px each on a slide

class DensityGrid {
public:
  // The axes' ranges are fixed by now.
  DensityGrid(const ChartAxis& x, const ChartAxis& y);

  // False for what lies outside the axes.
  bool add(Point point, int colour, Grade grade);
  // Counts once in every cell that it passes.
  void add_line(const std::vector<Point>& points, int colour, Grade grade);
  // How many were counted near this point, in its cell and the two beside it on every side; 0 outside.
  std::uint32_t count_near(Point point) const;
  // The cells with more than `least` near them.
  Density density(std::uint32_t least, std::string of) const;

private:
  int cell_of(Point point) const; // -1 outside
  std::uint32_t near(int cell) const;
  void count(int cell, int colour, Grade grade);

  const ChartAxis &x_, &y_;
  std::vector<Density::Cell> cells_;
  std::vector<std::uint32_t> lead_, passed_; // of the majority vote; the line that passed a cell last
  std::uint32_t lines_ = 0;
};

// A dot that may be drawn.
struct DotPlace {
  Point at;
  int colour = ink;
  Grade grade = Grade::known;
};

struct DotsApart {
  std::vector<std::size_t> drawn; // indices of those that get a mark of their own
  std::size_t outside = 0;        // of those that were to be counted in a density
};

// All where they are few. Otherwise those that stand alone, and the others go into a density of the chart,
// with a legend entry and a note.
DotsApart dots_apart(Chart& chart, const std::vector<DotPlace>& dots);

// The entry that shows a density's shades.
LegendEntry shades_entry(const Density& density);

} // namespace perfmodel::plots
