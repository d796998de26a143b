// Places the labels of a laid-out chart so that none touches another label or a mark.
#pragma once

#include "layout.hpp"
#include "obstacles.hpp"

namespace perfmodel::plots {

// The straight stretch of a line along which its label runs, and what the label says.
struct AlongLabel {
  Segment stretch; // from left to right
  std::string text, title;
  int colour = ink;
  bool bold = false;
  std::string short_text = "";                // of a narrow picture
  std::optional<Segment> line = std::nullopt; // to which a leader goes, where that is not the stretch
};

struct DotLabel {
  Point target;
  double radius = 0;
  std::string text, title;
  int colour = ink;
  bool bold = false;
  bool dropped = false;                          // stands beside the line down to the x axis
  std::optional<std::size_t> dot = std::nullopt; // its index in the chart, when it is a dot
  int step = 0;                                  // its number on a path; 0: on none
  bool is_numbered = false;                      // a note explains it
};

// A label at its line's right end: in the margin, or inside the plot.
struct EndLabel {
  Point end;
  std::string text, title;
  int colour = ink;
  bool bold = false;
  std::optional<LegendEntry> sample = std::nullopt;
  std::string short_text = "";
  double from = 0;         // px: where its line begins
  bool shares_row = false; // with others, where there are more than rows
};

struct RegionLabel {
  std::vector<Point> outline;
  std::string text, title;
  int colour = ink;
};

// The label's text, cut where it is too long; not placed yet.
Text text_of(const DotLabel& label);

void place_end_labels(Layout& layout, const std::vector<EndLabel>& labels);
// Above or below the line, as far right as there is room; else the same with the short text. A bold one
// without room stands near its line's end, with a leader.
void place_inside(Layout& layout, Obstacles& obstacles, const std::vector<EndLabel>& labels);
void place_along(Layout& layout, Obstacles& obstacles, std::vector<AlongLabel> labels);
// A bar's value, centred above it; upright, all of them, where bars are narrower than that. Returns how many
// have no room.
int place_above(Layout& layout, Obstacles& obstacles, const std::vector<DotLabel>& labels);
void place_region_labels(Layout& layout, Obstacles& obstacles, const std::vector<RegionLabel>& labels);
// The names of a path's steps that stand so closely above one another that their names would not fit beside
// them: in a column to the side, in their order. Takes those that it places.
void place_step_labels(Layout& layout, Obstacles& obstacles, std::vector<DotLabel>& labels);
void place_dot_labels(Layout& layout, Obstacles& obstacles, const std::vector<DotLabel>& labels);
// Numbers that a note explains, beside their dots: over lines, where nothing else is free. Takes them out of
// `labels`.
void place_numbers(Layout& layout, Obstacles& obstacles, std::vector<DotLabel>& labels);

// Tries around the target, near first, then ever farther with a leader. False when there is no room within
// `reach` px.
inline constexpr double longest_leader = 150;
bool place_near(Layout& layout, Obstacles& obstacles, const DotLabel& label, double reach = longest_leader);

} // namespace perfmodel::plots
