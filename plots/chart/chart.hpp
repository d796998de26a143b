// What a picture shows, in the units of the data: axes, regions, lines, dots, arrows, legend, notes. Where
// each thing goes is layout's business, how it is written down svg's, terminal's and html's.
#pragma once

#include "models/core/table.hpp" // absent

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace perfmodel::plots {

struct Point {
  double x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

enum class Scale { linear, log2, log10, category };

// How tick values are written. plain: value / unit. si, binary: each tick with its own prefix and with the
// axis's symbol ("64 KiB").
enum class TickText { plain, si, binary };

struct ChartAxis {
  std::string label;
  Scale scale = Scale::linear;
  double low = 0, high = 1;
  double unit = 1; // ticks stand at multiples (or powers) of it: 1e9 on an axis labelled Gflop/s
  double step = 0; // least distance of linear ticks, in the data's units; from 8 on they are it times 2^k
  TickText ticks = TickText::plain;
  std::string symbol;                  // of the unit at ticks with prefixes; the label then has none
  std::vector<std::string> categories; // of a category axis, at 0, 1, 2 ...
};

// Colours are slots of palette.hpp; these stand outside the series.
inline constexpr int ink = -1, grey = -2, alarm = -3;

enum class Dash { solid, dashed, dotted, dash_dot, long_dash };
// Of bars: stripes rising to the right, falling, both; pale: an outline around its tint; level and upright:
// stripes from side to side and from top to bottom.
enum class Fill { solid, rising, falling, crossed, pale, level, upright };
constexpr bool is_striped(Fill fill) { return fill != Fill::solid && fill != Fill::pale; }
// Of a predicted value, from the column `grade` of its row: from facts of this GPU alone, with a cost
// inherited from another one, with a cost that could only be assumed. Filled, half open and open marks;
// solid, densely and sparsely hatched bars; solid and hollow lines, the last with sleepers.
enum class Grade { known, inherited, assumed };
enum class Shape { circle, square, triangle, diamond, down_triangle, pentagon, hexagon, dot };

// right: in the margin at the line's right end. inside: above or below that end. along: on the line, in its
// direction.
enum class LabelSpot { none, right, along, inside };

// A line sample where `line`, a marker sample where `marker`, a bar's where `bar`, a density's shades where
// `shades`.
struct LegendEntry {
  std::string text;
  int colour = ink;
  bool line = false, marker = false, filled = false, warning = false, bar = false, shades = false;
  Dash dash = Dash::solid;
  Shape shape = Shape::circle;
  Fill fill = Fill::solid;
  double radius = 5; // of the marker
  Grade grade = Grade::known;
  double strength = 0; // of a pale bar's colour: layout.hpp
};

struct ChartLine {
  std::vector<Point> points; // not a number: a gap
  std::string label, title;  // the title is the tooltip
  int colour = ink;
  Dash dash = Dash::solid;
  double width = 1.5;
  LabelSpot spot = LabelSpot::none;
  bool bold = false;
  std::optional<LegendEntry> sample = std::nullopt; // drawn before a label in the margin
  Grade grade = Grade::known;
  std::string short_label = "";  // where there is no room for the label
  std::string shared_label = ""; // in ink, where it names the others at its end as well
  std::string name = "";         // the label without its value, where many stand in a narrow margin
  bool is_spare = false;         // no point is held against it: a narrow picture of points goes without
};

struct ChartDot {
  Point at;
  double low = absent, high = absent; // whiskers in y
  Shape shape = Shape::circle;
  int colour = ink;
  bool filled = false;
  bool warning = false; // above a limit that holds: drawn so that nobody misses it
  bool dropped = false; // with a line down to the x axis, beside which the label stands
  double radius = 5;
  std::string label, title;
  int label_colour = ink;
  int step = 0;             // on a path: its number, from 1; 0 where it is on none
  bool is_numbered = false; // its label is a number that a note explains
  Grade grade = Grade::known;
};

// From one dot to another, thin, clear of both markers.
struct ChartArrow {
  Point from, to;
  double from_radius = 5, to_radius = 5; // of the markers, px
  int colour = ink;
  std::string title;
};

struct Region {
  std::vector<Point> outline;
  std::string label, title;
  int colour = ink; // its pale tint is drawn
};

struct Bar {
  double x = 0, width = 0.8, value = 0;
  double low = absent, high = absent;
  int colour = ink;
  Fill fill = Fill::solid;
  std::string label, title;
  Grade grade = Grade::known;
};

// Points or lines that are too many to be told apart: how many there are in each cell of a grid over the
// plot, row by row from the upper left.
struct Density {
  struct Cell {
    std::uint32_t count = 0;
    int colour = ink; // of what most in it belong to, where there is a majority
    Grade grade = Grade::known;
  };
  int columns = 0, rows = 0;
  std::vector<Cell> cells;
  std::string of; // "points"
};

struct Chart {
  std::string title;
  std::string description; // what it shows in a sentence, for who cannot see it
  ChartAxis x, y;
  std::vector<Region> regions;
  std::vector<Density> densities;
  std::vector<Bar> bars;
  std::vector<ChartLine> lines;
  std::vector<ChartDot> dots;
  std::vector<ChartArrow> arrows;
  std::vector<LegendEntry> legend;
  std::vector<std::string> notes;
  bool names_share_rows = false; // those in the right margin, where there are more than rows
  std::string caption;           // below the notes: what was held fixed, and where the numbers come from
};

} // namespace perfmodel::plots
