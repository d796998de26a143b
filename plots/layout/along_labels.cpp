// Labels along sloped lines. Lines closer together than a text is high form a bundle: its top line is named
// above it, the others below it, in their order. In a narrow picture of several devices the lowest is named
// below it and those between have leaders.
#include "labels.hpp"

#include "font.hpp"
#include "frame.hpp"
#include "narrow.hpp"
#include "text_box.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
constexpr double text_height = label_size * (ascent + descent);
constexpr double near_gap = 3.5, marker_gap = 11; // px to the line; past the markers on it

double angle_of(const Segment& s) { return in_degrees(std::atan2(s.b.y - s.a.y, s.b.x - s.a.x)); }

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
    obstacles.add(with_spaces(t));
    l.labels.push_back(std::move(t));
    return true;
  }
  return false;
}

bool try_gaps(Layout& l, Obstacles& obstacles, const AlongLabel& label, bool above, bool either) {
  for (const double gap : {near_gap, marker_gap})
    if (try_along(l, obstacles, label, above, gap) || (either && try_along(l, obstacles, label, !above, gap)))
      return true;
  return false;
}

void place_with_leader(Layout& l, Obstacles& obstacles, const AlongLabel& label) {
  const Segment& s = label.line ? *label.line : label.stretch;
  // The long leaders of a narrow picture would cross all of it: there a note has the names.
  const bool is_short = l.size.width < narrow_width && !label.bold;
  for (const double reach : {30.0, 60.0, is_short ? 0.0 : longest_leader})
    for (const double part : {0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9})
      if (place_near(l, obstacles,
                     {s.a + part * (s.b - s.a), 0, label.text, label.title, label.colour, label.bold}, reach))
        return;
  ++l.unplaced;
  l.unnamed_lines.push_back(label.text);
}

// One label for all, at the lowest line.
AlongLabel joined(const std::vector<AlongLabel>& labels) {
  AlongLabel all = labels.back();
  for (std::size_t i = labels.size() - 1; i-- > 0;) {
    all.text = labels[i].text + ", " + all.text;
    if (labels[i].colour != all.colour) all.colour = ink;
  }
  return all;
}

// Those have colours of their own: below a line of another colour a label would seem to be of that one.
bool are_of_several_devices(const std::vector<AlongLabel>& labels) {
  return std::any_of(labels.begin(), labels.end(), [&](const AlongLabel& label) {
    return label.colour >= 0 && label.colour != labels.back().colour;
  });
}

// Each by itself at the lowest line, the roof's first.
std::vector<AlongLabel> apart(std::vector<AlongLabel> labels) {
  const Segment lowest = labels.back().stretch;
  std::stable_sort(labels.begin(), labels.end(),
                   [](const AlongLabel& a, const AlongLabel& b) { return a.bold > b.bold; });
  for (AlongLabel& label : labels) label.line = label.stretch, label.stretch = lowest;
  return labels;
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
  const bool narrow = l.size.width < narrow_width;
  std::vector<AlongLabel> left; // of a narrow picture: a leader across a line would take the room beside it
  const auto place = [&](const AlongLabel& label, bool above, bool either) {
    if (try_gaps(l, obstacles, label, above, either)) return;
    AlongLabel less = label;
    less.text = label.short_text;
    if (!narrow) return place_with_leader(l, obstacles, label);
    if (less.text.empty() || !try_gaps(l, obstacles, less, above, either)) left.push_back(label);
  };
  for (std::size_t from = 0, to; from < labels.size(); from = to) {
    for (to = from + 1; to < labels.size(); ++to)
      if (depth(labels[to - 1].stretch, labels[to].stretch) > text_height + 2 * near_gap ||
          std::fabs(angle_of(labels[to - 1].stretch) - angle_of(labels[to].stretch)) > 1)
        break;
    const bool alone = to == from + 1;
    place(labels[from], true, alone);
    if (alone) continue;
    const std::vector<AlongLabel> lower(labels.begin() + static_cast<std::ptrdiff_t>(from) + 1,
                                        labels.begin() + static_cast<std::ptrdiff_t>(to));
    if (!narrow)
      place(joined(lower), false, false);
    else if (are_of_several_devices(lower)) {
      place(lower.back(), false, false);
      left.insert(left.end(), lower.begin(), lower.end() - 1);
    } else if (!try_gaps(l, obstacles, joined(lower), false, false))
      for (const AlongLabel& label : apart(lower)) place(label, false, false);
  }
  std::stable_sort(left.begin(), left.end(),
                   [](const AlongLabel& a, const AlongLabel& b) { return a.bold > b.bold; });
  for (const AlongLabel& label : left) place_with_leader(l, obstacles, label);
}

} // namespace perfmodel::plots
