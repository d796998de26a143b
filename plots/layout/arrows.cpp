// Arrows from marker to marker: where they start and end so that both markers stay free.
#include "marks.hpp"

#include "text_box.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
constexpr double clearance = 2.5;   // px from a marker's rim
constexpr double longest_head = 8;  // px along the arrow
constexpr double shortest_head = 2; // less is no arrow any more
constexpr double slimness = 0.38;   // half the head's width over its length
} // namespace

void add_arrow(Layout& l, const ChartArrow& arrow, const Mapping& map) {
  for (const double at : {arrow.from.x, arrow.from.y, arrow.to.x, arrow.to.y})
    if (!std::isfinite(at)) return;
  const Point from = map(arrow.from), to = map(arrow.to), way = to - from;
  const double distance = length(way);
  if (!l.plot.holds(from) || !l.plot.holds(to)) return;
  const double before = arrow.from_radius + clearance, behind = arrow.to_radius + clearance;
  const double room = distance - before - behind;
  if (room < shortest_head) return;
  const Point along = 1 / distance * way, across{-along.y, along.x};
  const Point tip = to - behind * along;
  const double head = std::min(longest_head, room);
  const Point neck = tip - head * along;
  PlacedArrow placed;
  placed.head = {rounded(tip), rounded(neck + slimness * head * across),
                 rounded(neck - slimness * head * across)};
  // The shaft ends inside the head, so that no gap shows.
  if (room > head) placed.shaft = Segment{rounded(from + before * along), rounded(neck + 0.2 * head * along)};
  placed.colour = arrow.colour, placed.title = arrow.title;
  l.arrows.push_back(std::move(placed));
}

} // namespace perfmodel::plots
