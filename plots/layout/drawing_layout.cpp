#include "drawing_layout.hpp"

#include "drawing_frame.hpp"
#include "drawing_looks.hpp"
#include "drawing_texts.hpp"
#include "font.hpp"
#include "frame.hpp"
#include "narrow.hpp"
#include "side_by_side.hpp"
#include "text_box.hpp"
#include "ticks.hpp"

#include "plots/chart/value_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace perfmodel::plots {

namespace {

constexpr double drawing_edge = 16, name_gap = 8;
constexpr double least_cell = 5;                      // px of height
constexpr double widest_unit = 72;                    // px, where places are drawn and not quantities
constexpr double arrow_head = 6, head_slimness = 0.4; // of an arrow
constexpr double names_share = 0.34;                  // of the width

double scale_end(const Drawing& d) { return d.scale_to > 0 ? d.scale_to : d.width; }

ChartAxis drawing_scale(const Drawing& d) {
  ChartAxis axis =
      value_axis({.name = d.across, .unit = d.across_unit, .from_zero = true}, {0, scale_end(d)});
  axis.low = 0, axis.high = scale_end(d);
  return axis;
}

class DrawingPlacer {
public:
  DrawingPlacer(const DrawingFigure& f, Layout& l, std::vector<CellLook> looks)
      : d_(f.drawing), l_(l), looks_(std::move(looks)), scaled_(!d_.across.empty()) {
    double names = 0;
    for (const Drawing::Name& row : d_.rows) names = std::max(names, text_width(row.text, label_size));
    names_ = std::min(names, names_share * l.size.width);
    area_ = {drawing_edge + names_ + (names_ > 0 ? name_gap : 0), l.plot.top,
             static_cast<double>(l.size.width) - drawing_edge, l.plot.bottom};
    if (!d_.columns.empty()) area_.top += label_size * line_height;
    area_.bottom += scaled_ ? -scale_height : 20; // else nothing is written below
    x_ = area_.width() / d_.width, y_ = area_.height() / d_.height;
    if (!scaled_) x_ = std::min(x_, widest_unit);
    y_ = std::min(y_, highest_unit);
    for (const Drawing::Cell& cell : d_.cells)
      if (cell.height * y_ < least_cell)
        throw NoRoom(fmt::format("{} x {} px is too small for this drawing", l.size.width, l.size.height));
    l_.plot = {area_.left, area_.top, area_.left + d_.width * x_, area_.top + d_.height * y_};
  }

  void place() {
    for (const Drawing::Cell& cell : d_.cells) place(cell);
    arrows();
    texts();
    names();
    if (scaled_) scale();
  }

private:
  Point at(double x, double y) const { return rounded(Point{area_.left + x * x_, area_.top + y * y_}); }
  Rect rect_of(const Drawing::Cell& c) const {
    const Point a = at(c.left, c.top), b = at(c.left + c.width, c.top + c.height);
    return {a.x, a.y, b.x, b.y};
  }

  void place(const Drawing::Cell& cell) {
    const CellLook& look = looks_[cell.kind];
    PlacedBar bar;
    bar.rect = rect_of(cell), bar.colour = look.colour, bar.fill = look.fill, bar.title = cell.title;
    bar.strength = look.strength;
    l_.bars.push_back(std::move(bar));
  }

  Segment way_of(const Drawing::Arrow& arrow) const {
    return {at(arrow.from_x, arrow.from_y), at(arrow.to_x, arrow.to_y)};
  }

  // Over time each arrow happens, and what matters is never left out.
  void arrows() {
    std::vector<Segment> ways;
    for (const Drawing::Arrow& arrow : d_.arrows) ways.push_back(way_of(arrow));
    const std::vector<bool> drawn = followed_by_eye(ways);
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const Drawing::Arrow& arrow = d_.arrows[i];
      if (drawn[i] || scaled_ || arrow.line || arrow.tone != Drawing::Tone::quiet)
        place(arrow);
      else
        l_.arrows_left_out = true;
    }
  }

  void place(const Drawing::Arrow& arrow) {
    const auto [from, to] = way_of(arrow);
    const Point way = to - from;
    const double distance = length(way);
    if (distance < 2) return;
    const int colour = arrow.tone == Drawing::Tone::quiet   ? grey
                       : arrow.tone == Drawing::Tone::alarm ? alarm
                                                            : ink;
    if (arrow.line) {
      l_.lines.push_back({{{from, to}}, colour, Dash::solid, 3, arrow.title, Grade::known});
      return;
    }
    const Point along = 1 / distance * way, across{-along.y, along.x};
    const double tip = std::min(arrow_head, distance);
    const Point neck = to - tip * along;
    PlacedArrow placed;
    placed.head = {to, rounded(neck + head_slimness * tip * across),
                   rounded(neck - head_slimness * tip * across)};
    if (distance > tip) placed.shaft = Segment{from, rounded(neck + 0.2 * tip * along)};
    placed.colour = colour;
    placed.title = arrow.title;
    l_.arrows.push_back(std::move(placed));
  }

  // Cells of one size have texts of one size; where widths are quantities, each has what it has room for.
  void texts() {
    std::map<std::pair<long, long>, std::vector<CellText>> alike;
    std::size_t own = 0;
    for (const Drawing::Cell& cell : d_.cells) {
      if (cell.text.empty()) continue;
      const Rect rect = rect_of(cell);
      const auto key = scaled_ ? std::pair<long, long>{-1, static_cast<long>(++own)}
                               : std::pair{std::lround(rect.width()), std::lround(rect.height())};
      alike[key].push_back({cell.text, rect, is_striped(looks_[cell.kind].fill)});
    }
    // Rounding makes neighbours of one px differ: they are one size all the same.
    std::vector<CellText> all;
    for (const auto& [key, group] : alike) all.insert(all.end(), group.begin(), group.end());
    const double least = l_.size.width < small_width ? least_text_in_column : least_text;
    if (const auto fit = fit_of(all, least); fit && !scaled_) return put(all, *fit);
    for (const auto& [key, group] : alike) {
      const auto fit = fit_of(group, least);
      if (fit && !(scaled_ && fit->upright))
        put(group, *fit);
      else
        l_.unplaced += static_cast<int>(group.size());
    }
  }
  void put(const std::vector<CellText>& texts, const TextFit& fit) {
    for (const CellText& t : texts) {
      Text text;
      text.text = t.text, text.size = fit.size, text.angle = fit.upright ? -90 : 0, text.halo = t.on_stripes;
      text.halo_width = 7; // no stripe is seen between the letters
      const TextHeight height = height_of(t.text);
      const double raised = text.size * ((height.above - height.below) - (ascent - descent)) / 2;
      centre_text(text, t.room.centre() + (fit.upright ? Point{raised, 0} : Point{0, raised}));
      text.box = turned(t.room.centre(), text_width(text.text, text.size),
                        text.size * (height.above + height.below), text.angle);
      l_.labels.push_back(std::move(text));
    }
  }

  void names() {
    const double drop = label_size * (ascent - descent) / 2;
    double below = -1e9;
    for (const Drawing::Name& row : d_.rows) {
      const double y = at(0, row.at).y;
      if (y - below < label_size) continue; // one on top of the other says nothing
      below = y;
      write(cut_to_width(row.text, names_, label_size), {area_.left - name_gap, y + drop}, Anchor::end);
    }
    std::size_t every = 1;
    while (every < d_.columns.size() && !have_room(every)) ++every;
    for (std::size_t i = 0; i < d_.columns.size(); i += every)
      write(d_.columns[i].text, {at(d_.columns[i].at, 0).x, area_.top - 5}, Anchor::middle);
  }
  // Names of columns side by side, where so many have one.
  bool have_room(std::size_t every) const {
    double right = -1e9;
    for (std::size_t i = 0; i < d_.columns.size(); i += every) {
      const double x = at(d_.columns[i].at, 0).x, half = text_width(d_.columns[i].text, label_size) / 2;
      if (x - half < right + 3) return false;
      right = x + half;
    }
    return true;
  }
  void write(std::string words, Point where, Anchor anchor) {
    Text text;
    text.text = std::move(words), text.at = rounded(where), text.size = label_size, text.anchor = anchor;
    text.colour = grey;
    measure(text);
    l_.frame.push_back(std::move(text));
  }

  // A line below with ticks, and what it counts.
  void scale() {
    const ChartAxis axis = drawing_scale(d_);
    const double y = l_.plot.bottom + 6, end = at(scale_end(d_), 0).x;
    l_.lines.push_back({{{{area_.left, y}, {end, y}}}, grey, Dash::solid, 1, "", Grade::known});
    double right = -1e9;
    for (const Tick& tick : ticks_of(axis, std::max(4, static_cast<int>((end - area_.left) / 80)))) {
      const double x = at(tick.value, 0).x;
      l_.lines.push_back({{{{x, y}, {x, y + 5}}}, grey, Dash::solid, 1, "", Grade::known});
      const double half = text_width(tick.text, label_size) / 2;
      if (x - half < right + 6 || x + half > l_.size.width - 2) continue;
      right = x + half;
      write(tick.text, {x, y + 18}, Anchor::middle);
    }
    const std::string label = cut_to_width(axis.label, l_.size.width - 2 * drawing_edge, label_size);
    const double half = text_width(label, label_size) / 2;
    write(label, {std::max((area_.left + end) / 2, drawing_edge + half), y + 36}, Anchor::middle);
  }

  const Drawing& d_;
  Layout& l_;
  std::vector<CellLook> looks_;
  bool scaled_;
  double names_ = 0, x_ = 1, y_ = 1;
  Rect area_;
};

} // namespace

DrawingFigure figure_of(const Drawing& drawing) {
  DrawingFigure figure;
  figure.drawing = drawing, figure.title = drawing.title, figure.notes = drawing.verdict;
  for (const std::string& sentence : drawing.verdict)
    figure.description += (figure.description.empty() ? "" : " ") + sentence;
  return figure;
}

Layout layout(const DrawingFigure& f, Size size) {
  if (size.width < 320 || size.height < 200 || size.width > 20000 || size.height > 20000)
    throw InputError(
        fmt::format("a picture is 320 x 200 to 20000 x 20000 px, not {} x {}", size.width, size.height));
  const std::vector<CellLook> looks = looks_of(f);
  Layout l = frame_around(f, looks, size);
  DrawingPlacer(f, l, looks).place();
  // Over time short spans are too narrow for a word, and are told by their colours.
  const bool without_text = l.unplaced > 0 && f.drawing.across.empty();
  if (!without_text && !l.arrows_left_out) return l;
  DrawingFigure noted = f;
  if (without_text)
    noted.notes.emplace_back("Some cells are too small for their text: a larger picture has it.");
  if (l.arrows_left_out) noted.notes.emplace_back("Of many arrows side by side some are drawn.");
  Layout again = frame_around(noted, looks, size);
  DrawingPlacer(noted, again, looks).place();
  return again;
}

} // namespace perfmodel::plots
