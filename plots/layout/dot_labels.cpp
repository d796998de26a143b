// Labels of dots and bars: tried near the dot, then on rings around it with a leader, first come first
// served.
#include "labels.hpp"

#include "font.hpp"
#include "frame.hpp"
#include "narrow.hpp"
#include "text_box.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace perfmodel::plots {

namespace {
constexpr double longest = 170; // px of a dot's label
constexpr double crossing = 50; // px of leader that are as bad as crossing a line

bool accept(Layout& l, Obstacles& obstacles, Text& t, bool spaced = true) {
  if (!inside(t.box, l.plot) || !obstacles.is_free(grown(t.box, 1.5))) return false;
  obstacles.add(spaced ? with_spaces(t) : t.box);
  if (t.leader) obstacles.add(*t.leader);
  l.labels.push_back(std::move(t));
  return true;
}

// The leader from the marker's rim to the box. None when something is in its way.
std::optional<Segment> leader(const Obstacles& obstacles, const DotLabel& label, const Quad& box,
                              bool lines) {
  const Point end = nearest_point(box.bounds(), label.target), way = end - label.target;
  const double distance = length(way), rim = label.radius > 0 ? label.radius * 1.5 + 2 : 0;
  if (distance < rim + 4) return std::nullopt;
  const Segment s{rounded(label.target + rim / distance * way), rounded(end - 1 / distance * way)};
  // A line's own label starts on the line, which is not in its way.
  const Segment tested{label.radius > 0 ? s.a : s.a + 2 / distance * way, s.b};
  return obstacles.is_free(tested, lines) ? std::optional(s) : std::nullopt;
}

bool beside_dropped_line(Layout& l, Obstacles& obstacles, const DotLabel& label) {
  Text t = text_of(label);
  const double width = text_width(t.text, t.size, t.bold), height = t.size * (ascent + descent);
  for (double y = l.plot.bottom - 30 - height / 2; y > label.target.y + label.radius + height; y -= 9)
    for (const double side : {1.0, -1.0}) {
      centre_text(t, {label.target.x + side * (width / 2 + 6), y});
      if (accept(l, obstacles, t)) return true;
    }
  return false;
}
} // namespace

Text text_of(const DotLabel& label) {
  Text t;
  const bool is_dots = label.radius > 0 && !label.dropped; // beside a dropped line there is more room
  t.text = cut_to_width(label.text, is_dots ? longest : 2 * longest, label_size, label.bold);
  t.title = label.title.empty() ? label.text : label.title;
  t.size = label_size, t.colour = label.colour, t.bold = label.bold, t.halo = true;
  return t;
}

namespace {

// Where a text's middle may stand beside a dot, best first.
std::array<Point, 8> offsets_beside(const DotLabel& label, const Text& t) {
  const double w = text_width(t.text, t.size, t.bold) / 2, h = t.size * (ascent + descent) / 2;
  const double d = label.radius + 4;
  return {{{d + w, 0},
           {d * 0.7 + w, -d * 0.7 - h},
           {-d * 0.7 - w, -d * 0.7 - h},
           {-d - w, 0},
           {0, -d - h},
           {d * 0.7 + w, d * 0.7 + h},
           {0, d + h},
           {-d * 0.7 - w, d * 0.7 + h}}};
}

// Without a leader.
bool place_beside(Layout& l, Obstacles& obstacles, const DotLabel& label) {
  if (!(label.radius > 0)) return false;
  Text t = text_of(label);
  const auto offsets = offsets_beside(label, t);
  return std::any_of(offsets.begin(), offsets.end(), [&](Point offset) {
    centre_text(t, label.target + offset);
    return accept(l, obstacles, t);
  });
}

} // namespace

bool place_near(Layout& l, Obstacles& obstacles, const DotLabel& label, double reach) {
  if (place_beside(l, obstacles, label)) return true;
  Text t = text_of(label);
  const double w = text_width(t.text, t.size, t.bold) / 2, h = t.size * (ascent + descent) / 2;
  const double d = label.radius + 4;
  const auto try_ring = [&](double ring, bool lines) {
    for (int step = 0; step < 24; ++step) {
      // From the upper right, alternately clockwise and not: labels above and beside read best.
      const double degrees = -45 + 15 * (step % 2 == 0 ? step / 2 : -(step + 1) / 2);
      const double turn = radians(degrees);
      const Point way{std::cos(turn), std::sin(turn)};
      centre_text(t, label.target + Point{way.x * ring + (way.x > 0.1    ? w
                                                          : way.x < -0.1 ? -w
                                                                         : 0),
                                          way.y * ring + (way.y > 0.1    ? h
                                                          : way.y < -0.1 ? -h
                                                                         : 0)});
      if (!inside(t.box, l.plot)) continue;
      t.leader = leader(obstacles, label, t.box, lines);
      if (t.leader && accept(l, obstacles, t)) return true;
      t.leader.reset();
    }
    return false;
  };
  for (double ring = d + 14; ring < reach + crossing; ring += 10) {
    if (ring < reach && try_ring(ring, true)) return true;
    if (ring - crossing > d && try_ring(ring - crossing, false)) return true;
  }
  return false;
}

void place_numbers(Layout& l, Obstacles& obstacles, std::vector<DotLabel>& labels) {
  constexpr double reach = 40;
  const auto over_lines = [&](const DotLabel& label) {
    Text t = text_of(label);
    const auto offsets = offsets_beside(label, t);
    return std::any_of(offsets.begin(), offsets.end(), [&](Point offset) {
      centre_text(t, label.target + offset);
      if (!inside(t.box, l.plot) || !obstacles.is_free(grown(t.box, 0.5), false)) return false;
      obstacles.add(with_spaces(t));
      l.labels.push_back(t);
      return true;
    });
  };
  std::vector<DotLabel> left; // leaders come last: they are lines that no number may stand on
  for (const DotLabel& label : labels)
    if (label.is_numbered && !place_beside(l, obstacles, label) && !over_lines(label)) left.push_back(label);
  for (const DotLabel& label : left) {
    if (place_near(l, obstacles, label, reach)) continue;
    ++l.unplaced;
    if (label.dot) l.unnamed.push_back(*label.dot);
  }
  std::erase_if(labels, [](const DotLabel& label) { return label.is_numbered; });
}

void place_dot_labels(Layout& l, Obstacles& obstacles, const std::vector<DotLabel>& labels) {
  constexpr int hopeless = 100; // labels in a row without a place: then the picture is full
  int in_vain = 0;
  // A long leader of a narrow picture would cross all of it: there a number stands for the name.
  const double reach = l.size.width < narrow_width ? 70 : longest_leader;
  for (const DotLabel& label : labels) {
    if (label.text.empty()) continue;
    if (label.dropped && beside_dropped_line(l, obstacles, label)) continue;
    if (in_vain < hopeless ? place_near(l, obstacles, label, reach) : place_beside(l, obstacles, label)) {
      in_vain = 0;
      continue;
    }
    ++in_vain;
    ++l.unplaced;
    if (label.dot) l.unnamed.push_back(*label.dot);
  }
}

namespace {

// How the values of bars stand.
enum class BarValues { close, far, upright };

int place_all_above(Layout& l, Obstacles& obstacles, const std::vector<DotLabel>& labels, BarValues how) {
  // px more than above a bar with nothing over it: past a roof and a marker, or past a marker far above
  const double clearest = how == BarValues::far ? 48 : 27;
  const bool upright = how == BarValues::upright;
  int without = 0;
  for (DotLabel label : labels) {
    if (label.title.empty()) label.title = label.text;
    Text t = text_of(label);
    if (upright) t.angle = -90;
    const double clear = upright ? text_width(t.text, t.size, t.bold) / 2 + 5 : 11;
    bool placed = false;
    for (double rise = clear; rise < clear + clearest && !placed; rise += 4) {
      centre_text(t, label.target - Point{0, rise});
      placed = accept(l, obstacles, t, false); // all in one row: each stands above its bar
    }
    if (!placed) ++without;
  }
  return without;
}

// Bars so far apart that a value stays within its own share of the axis, and is not taken for a neighbour's.
bool apart(const std::vector<DotLabel>& labels) {
  double widest = 0, nearest = std::numeric_limits<double>::infinity();
  std::vector<double> places;
  for (const DotLabel& label : labels) {
    widest = std::max(widest, text_width(label.text, label_size));
    places.push_back(label.target.x);
  }
  std::sort(places.begin(), places.end());
  for (std::size_t i = 1; i < places.size(); ++i) nearest = std::min(nearest, places[i] - places[i - 1]);
  return nearest > 1.5 * widest;
}

} // namespace

int place_above(Layout& l, Obstacles& obstacles, const std::vector<DotLabel>& labels) {
  const Layout before = l;
  const Obstacles beside = obstacles;
  int least = place_all_above(l, obstacles, labels, BarValues::close);
  for (const BarValues how : {BarValues::far, BarValues::upright}) {
    if (least == 0) break;
    if (how == BarValues::far && !apart(labels)) continue;
    Layout other = before;
    Obstacles obstacles_of_other = beside;
    const int without = place_all_above(other, obstacles_of_other, labels, how);
    if (without >= least) continue;
    least = without, l = std::move(other), obstacles = std::move(obstacles_of_other);
  }
  return least;
}

} // namespace perfmodel::plots
