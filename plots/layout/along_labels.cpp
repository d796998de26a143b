// Labels along sloped lines. Lines closer together than a text is high form a bundle: its top line is named
// above it, the others below it, in their order.
#include "labels.hpp"

#include "font.hpp"
#include "frame.hpp"
#include "text_box.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
constexpr double text_height = label_size * (ascent + descent);
constexpr double near_gap = 3.5, marker_gap = 11; // px to the line; past the markers on it

double angle_of(const Segment& s) {
  return std::atan2(s.b.y - s.a.y, s.b.x - s.a.x) * 180 / 3.14159265358979323846;
}

// How far t lies below s, across the lines; negative above.
double depth(const Segment& s, const Segment& t) {
  const Point d = s.b - s.a;
  return (d.x * (t.a.y - s.a.y) - d.y * (t.a.x - s.a.x)) / length(d);
}

bool try_along(Layout& l, Obstacles& obstacles, const AlongLabel& label, bool above, double gap) {
  Text t;
  t.text = label.text, t.title = label.title, t.size = label_size, t.halo = true;
  t.colour = label.colour, t.bold = label.bold, t.angle = rounded(angle_of(label.stretch));
  const double width = text_width(t.text, t.size, t.bold), room = length(label.stretch.b - label.stretch.a);
  const Point along = 1 / room * (label.stretch.b - label.stretch.a), across{along.y, -along.x}; // upwards
  const double side = (above ? 1 : -1) * (gap + text_height / 2);
  for (double start = 10; start + width + 4 <= room; start += 6) {
    centre_text(t, label.stretch.a + (start + width / 2) * along + side * across);
    if (!inside(t.box, l.plot) || !obstacles.is_free(grown(t.box, 1.5))) continue;
    obstacles.add(t.box);
    l.labels.push_back(std::move(t));
    return true;
  }
  return false;
}

void place(Layout& l, Obstacles& obstacles, const AlongLabel& label, bool above, bool either) {
  for (const double gap : {near_gap, marker_gap})
    if (try_along(l, obstacles, label, above, gap) || (either && try_along(l, obstacles, label, !above, gap)))
      return;
  const Segment& s = label.stretch;
  for (const double reach : {30.0, 60.0, longest_leader})
    for (const double part : {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9})
      if (place_near(l, obstacles,
                     {s.a + part * (s.b - s.a), 0, label.text, label.title, label.colour, label.bold}, reach))
        return;
  ++l.unplaced;
}
} // namespace

void place_along(Layout& l, Obstacles& obstacles, std::vector<AlongLabel> labels) {
  labels.erase(std::remove_if(labels.begin(), labels.end(),
                              [](const AlongLabel& a) {
                                return a.text.empty() || length(a.stretch.b - a.stretch.a) < 1;
                              }),
               labels.end());
  if (labels.empty()) return;
  const Segment first = labels.front().stretch;
  std::stable_sort(labels.begin(), labels.end(), [&](const AlongLabel& a, const AlongLabel& b) {
    return depth(first, a.stretch) < depth(first, b.stretch);
  });
  for (std::size_t from = 0, to; from < labels.size(); from = to) {
    for (to = from + 1; to < labels.size(); ++to)
      if (depth(labels[to - 1].stretch, labels[to].stretch) > text_height + 2 * near_gap ||
          std::fabs(angle_of(labels[to - 1].stretch) - angle_of(labels[to].stretch)) > 1)
        break;
    const bool alone = to == from + 1;
    place(l, obstacles, labels[from], true, alone);
    if (alone) continue;
    AlongLabel below = labels[to - 1];
    for (std::size_t i = to - 1; i-- > from + 1;) {
      below.text = labels[i].text + ", " + below.text;
      if (labels[i].colour != below.colour) below.colour = ink;
    }
    place(l, obstacles, below, false, false);
  }
}

} // namespace perfmodel::plots
