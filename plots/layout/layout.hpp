// Where everything of a chart stands, in px: the only place that knows both the data and the picture's size.
// All coordinates are rounded to 1/100 px, so that the last bit of a logarithm never shows.
#pragma once

#include "geometry.hpp"
#include "plots/chart/chart.hpp"

#include "models/core/error.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace perfmodel::plots {

// A slide is 16:10. Text is 13 px and more: legible when the picture is half a slide.
struct Size {
  int width = 960, height = 600;
};

enum class Anchor { start, middle, end };

struct Text {
  std::string text, title;
  Point at; // on the baseline
  Anchor anchor = Anchor::start;
  double size = 13, angle = 0; // px; degrees, clockwise
  int colour = ink;
  bool bold = false, halo = false;
  double halo_width = 3;         // px, of the stroke around the letters
  Quad box;                      // what it covers
  std::optional<Segment> leader; // to what it names, when that is far
};

struct PlacedTick {
  double at = 0;
  std::string text;
};

struct PlacedRegion {
  std::vector<Point> outline;
  int colour = ink;
  std::string title;
};

struct PlacedLine {
  std::vector<std::vector<Point>> strokes; // several where it leaves the picture and returns
  int colour = ink;
  Dash dash = Dash::solid;
  double width = 1;
  std::string title;
  Grade grade = Grade::known;
};

struct PlacedDot {
  Point at;
  std::optional<Segment> whisker; // upright
  std::optional<Segment> dropped;
  Shape shape = Shape::circle;
  int colour = ink;
  bool filled = false, warning = false;
  double radius = 5;
  std::string title;
  Grade grade = Grade::known;
};

struct PlacedArrow {
  std::optional<Segment> shaft; // none where there is room for a head only
  std::array<Point, 3> head;    // the tip first
  int colour = ink;
  std::string title;
};

struct PlacedBar {
  Rect rect;
  std::optional<Segment> whisker;
  int colour = ink;
  Fill fill = Fill::solid;
  std::string title;
  Grade grade = Grade::known;
  double strength = 0; // of a pale one's colour on the ground; 0: the theme's tint
};

// Cells of a density that look alike, as the rectangles that rows of them form.
struct PlacedCells {
  std::vector<Rect> runs;
  int colour = ink;
  double strength = 1; // of the colour, the rest is white
  Grade grade = Grade::known;
  double pitch = 1; // px, a cell's width: one stripe of the hatching each
  std::string title;
};

// A legend sample: a line 26 px long, a marker in its middle.
struct PlacedSample {
  Point at;
  LegendEntry entry;
};

struct Layout {
  Size size;
  Rect plot;
  std::string title, description; // of the document
  std::vector<PlacedTick> x_ticks, y_ticks;
  bool x_grid = true; // categories have none
  bool axes = true;   // a diagram has none
  std::vector<PlacedRegion> regions;
  std::vector<PlacedCells> cells;
  std::vector<PlacedBar> bars;
  std::vector<PlacedLine> lines;
  std::vector<PlacedDot> dots;
  std::vector<PlacedArrow> arrows;
  std::vector<PlacedSample> samples;
  std::vector<Text> frame;                // title, axis labels, legend, notes
  std::vector<Text> labels;               // of lines, dots, bars and regions: none touches another or a mark
  std::vector<Segment> leaders;           // from labels that stand in a row with others
  int unplaced = 0;                       // labels that found no room
  int bars_without_value = 0;             // whose value found no room above them
  bool arrows_left_out = false;           // of many side by side
  std::vector<std::size_t> unnamed;       // the dots of the chart whose labels are among them
  std::vector<std::string> unnamed_lines; // and the names of lines that are
};

// A chart does not fit into the size asked for.
struct NoRoom : InputError {
  using InputError::InputError;
};

// Throws NoRoom when what stands around the plot leaves it less than 80 x 60 px, InputError when the size is
// too small to draw in (under 320 x 200) or an axis is not finite.
Layout layout(const Chart& chart, Size size = {});

// As wide, and as high as the names of many lines in a narrow margin and a plot beside legend and notes need,
// up to twice as high. Throws as layout() does.
Size readable_size(const Chart& chart, Size size);

} // namespace perfmodel::plots
