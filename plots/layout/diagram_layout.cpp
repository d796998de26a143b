#include "diagram_layout.hpp"

#include "font.hpp"
#include "frame.hpp"
#include "text_box.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace perfmodel::plots {

namespace {

constexpr double picture_edge = 16, kinds_width = 112, most_box = 120, most_height = 30, box_gap = 8;
constexpr double least_pitch = 28;  // px from row to row: a name, and a line that can be seen
constexpr double upright_gap = 0.8; // rows more, for a row of upright names
constexpr std::size_t many_lines = 20;

Chart frame_of(const Diagram& d) {
  Chart chart;
  chart.title = d.title, chart.description = d.description;
  chart.x.scale = chart.y.scale = Scale::category; // without ticks
  chart.legend = d.legend, chart.notes = d.notes, chart.caption = d.caption;
  return chart;
}

std::vector<std::string> kinds_of_row(const Diagram& d, std::size_t row) {
  std::vector<std::string> kinds;
  for (const DiagramBox& box : d.boxes)
    if (box.row == row && std::find(kinds.begin(), kinds.end(), box.kind) == kinds.end())
      kinds.push_back(box.kind);
  return kinds;
}

// "nvs0" for nvswitch0: what tells places of a kind apart stays. Empty: too little of it would be left.
std::string short_name(const std::string& name, double width) {
  if (text_width(name, label_size) <= width) return name;
  constexpr std::size_t least_letters = 2;
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits == name.size()) {
    const std::string cut = cut_to_width(name, width, label_size);
    return cut.find("…") > least_letters ? cut : "";
  }
  for (std::size_t letters = digits - 1; letters >= least_letters; --letters)
    if (std::string shorter = name.substr(0, letters) + name.substr(digits);
        text_width(shorter, label_size) <= width)
      return shorter;
  return "";
}

class Placer {
public:
  Placer(const Diagram& d, Layout& l) : d_(d), l_(l) {
    for (const DiagramBox& box : d.boxes) rows_ = std::max(rows_, box.row + 1), ++count_[box.row];
    area_ = {picture_edge + kinds_width, l.plot.top, static_cast<double>(l.size.width) - picture_edge,
             l.plot.bottom};
    set_rows();
  }

  void place_boxes() {
    for (const DiagramBox& box : d_.boxes) {
      const double width = box_width(box.row), height = heights_[box.row];
      const double x = area_.centre().x + box.place * slot(box.row), y = row_y(box.row);
      const Rect rect{rounded(x - width / 2), rounded(y - height / 2), rounded(x + width / 2),
                      rounded(y + height / 2)};
      rects_.push_back(rect);
      l_.bars.push_back(
          {.rect = rect, .colour = ink, .fill = Fill::pale, .title = box.name + ": " + box.kind});
      if (upright_[box.row] > 0)
        put(cut_to_width(box.name, height - 4, label_size), {x, y}, ink, false, -90);
      else
        put(short_name(box.name, width - 4), {x, y}, ink, false);
    }
    for (std::size_t row = 0; row < rows_; ++row) {
      const std::vector<std::string> kinds = kinds_of_row(d_, row);
      double y = row_y(row) - label_size * line_height * (static_cast<double>(kinds.size()) - 1) / 2;
      for (const std::string& kind : kinds) {
        Text text;
        text.text = cut_to_width(kind, kinds_width - box_gap, label_size);
        text.at = rounded(Point{picture_edge, y + label_size * (ascent - descent) / 2});
        text.size = label_size, text.colour = grey;
        measure(text);
        l_.frame.push_back(std::move(text));
        y += label_size * line_height;
      }
    }
  }

  void place_lines() {
    for (std::size_t i = 0; i < d_.lines.size(); ++i) spread_over_sides(i);
    for (auto& [side, ends] : sides_) std::sort(ends.begin(), ends.end());
    std::vector<std::vector<Point>> strokes;
    for (std::size_t i = 0; i < d_.lines.size(); ++i) strokes.push_back(stroke(i));
    for (const bool wide : {false, true}) // what flows take lies above the rest
      for (std::size_t i = 0; i < d_.lines.size(); ++i)
        if ((d_.lines[i].width > 2) == wide) {
          const DiagramLine& line = d_.lines[i];
          l_.lines.push_back({{strokes[i]}, line.colour, line.dash, line.width, line.title, line.grade});
        }
    for (std::size_t i = 0; i < d_.lines.size(); ++i)
      if (!d_.lines[i].label.empty()) place_label(d_.lines[i], strokes[i]);
  }

private:
  enum class Side { top, bottom };
  using SideOf = std::pair<std::size_t, Side>;
  using EndAt = std::pair<double, std::size_t>; // x of the other end, the line

  double slot(std::size_t row) const { return area_.width() / static_cast<double>(count_.at(row)); }
  double box_width(std::size_t row) const {
    return std::min(most_box, slot(row) - std::min(box_gap, slot(row) / 5));
  }

  // Names that do not fit beside one another stand upright.
  void set_names() {
    upright_.assign(rows_, 0);
    std::vector<double> widest(rows_, 0);
    for (const DiagramBox& box : d_.boxes) {
      widest[box.row] = std::max(widest[box.row], text_width(box.name, label_size));
      if (short_name(box.name, box_width(box.row) - 4).empty()) upright_[box.row] = 1;
    }
    for (std::size_t row = 0; row < rows_; ++row) upright_[row] *= widest[row] + 6;
  }

  // Where many lines cross, rows are farther apart.
  void set_rows() {
    set_names();
    std::vector<double> gaps(rows_, 1);
    std::vector<std::size_t> lines(rows_, 0);
    for (const DiagramLine& line : d_.lines) ++lines[std::min(d_.boxes[line.a].row, d_.boxes[line.b].row)];
    for (std::size_t row = 0; row + 1 < rows_; ++row)
      if (lines[row] > many_lines) gaps[row] = 2;
    for (std::size_t row = 0; row < rows_; ++row)
      if (upright_[row] > 0) {
        gaps[row] = std::max(gaps[row], 1 + upright_gap / 2);
        if (row > 0) gaps[row - 1] += upright_gap / 2;
      }
    const double sum = std::accumulate(gaps.begin(), gaps.end(), 0.0);
    const double pitch = area_.height() / sum;
    if (pitch < least_pitch)
      throw NoRoom(fmt::format("{} x {} px is too small for this diagram", l_.size.width, l_.size.height));
    const double height = std::min(most_height, 0.65 * pitch);
    for (const double upright : upright_)
      heights_.push_back(upright > 0 ? std::min(upright, height + upright_gap * pitch) : height);
    double y = area_.top + pitch / 2;
    for (const double gap : gaps) {
      row_ys_.push_back(y);
      y += gap * area_.height() / sum;
    }
  }
  double row_y(std::size_t row) const { return row_ys_[row]; }
  bool level(const DiagramLine& line) const { return d_.boxes[line.a].row == d_.boxes[line.b].row; }
  bool beside(const DiagramLine& line) const {
    const double apart = d_.boxes[line.a].place - d_.boxes[line.b].place;
    return level(line) && apart > -1.5 && apart < 1.5;
  }
  Side side(const DiagramLine& line, std::size_t box) const {
    const std::size_t other = line.a == box ? line.b : line.a;
    return d_.boxes[other].row < d_.boxes[box].row ? Side::top : Side::bottom;
  }
  void spread_over_sides(std::size_t i) {
    const DiagramLine& line = d_.lines[i];
    if (beside(line)) return;
    sides_[{line.a, side(line, line.a)}].emplace_back(rects_[line.b].centre().x, i);
    sides_[{line.b, side(line, line.b)}].emplace_back(rects_[line.a].centre().x, i);
  }
  // Lines leave a side next to one another, in the order of where they go.
  Point leaves(std::size_t i, std::size_t box) const {
    const Side at = side(d_.lines[i], box);
    const std::vector<EndAt>& ends = sides_.at({box, at});
    const auto mine = std::find_if(ends.begin(), ends.end(), [&](const EndAt& e) { return e.second == i; });
    const double part =
        (static_cast<double>(mine - ends.begin()) + 1) / (static_cast<double>(ends.size()) + 1);
    const Rect& r = rects_[box];
    return rounded(Point{r.left + part * r.width(), at == Side::top ? r.top : r.bottom});
  }
  std::vector<Point> stroke(std::size_t i) const {
    const DiagramLine& line = d_.lines[i];
    if (beside(line)) {
      const bool swapped = rects_[line.b].left < rects_[line.a].left;
      const Rect &left = rects_[swapped ? line.b : line.a], &right = rects_[swapped ? line.a : line.b];
      return {{left.right, left.centre().y}, {right.left, right.centre().y}};
    }
    const Point a = leaves(i, line.a), b = leaves(i, line.b);
    if (!level(line)) return {a, b};
    const double below = a.y + heights_[d_.boxes[line.a].row] / 2;
    return {a, rounded(Point{a.x, below}), rounded(Point{b.x, below}), b};
  }

  Text put(const std::string& name, Point centre, int colour, bool halo, double angle = 0) {
    Text text;
    text.text = name, text.size = label_size, text.colour = colour, text.halo = halo, text.angle = angle;
    centre_text(text, centre);
    if (!halo) l_.labels.push_back(text);
    return text;
  }
  // Beside no other label and on no box, or in the tooltip alone.
  void place_label(const DiagramLine& line, const std::vector<Point>& stroke) {
    const Point a = stroke.front(), b = stroke.back();
    for (const double part : {0.5, 0.38, 0.62, 0.28, 0.72}) {
      // To the right of the line, on the side to which it leans away; above one that is level.
      const double wide = text_width(line.label, label_size), lean = a.x < b.x ? -0.5 : a.x > b.x ? 0.5 : 0;
      const Point beside = a.y == b.y ? Point{0, -label_size}
                                      : Point{wide / 2 + box_gap, (a.y < b.y ? lean : -lean) * label_size};
      const Text text = put(line.label, a + part * (b - a) + beside, line.colour, true);
      const auto touches = [&](const Quad& other) { return intersects(grown(text.box, 2), other); };
      if (std::any_of(l_.labels.begin(), l_.labels.end(), [&](const Text& t) { return touches(t.box); }) ||
          std::any_of(rects_.begin(), rects_.end(), [&](const Rect& r) { return touches(quad_of(r)); }))
        continue;
      l_.labels.push_back(text);
      return;
    }
    ++l_.unplaced;
  }

  const Diagram& d_;
  Layout& l_;
  Rect area_;
  std::vector<double> heights_, // of the boxes of each row
      upright_;                 // what a row's names take standing; 0 where they lie
  std::vector<double> row_ys_;
  std::size_t rows_ = 1;
  std::map<std::size_t, std::size_t> count_;
  std::vector<Rect> rects_;
  std::map<SideOf, std::vector<EndAt>> sides_;
};

} // namespace

Size readable_size(const Diagram& diagram, Size size) {
  constexpr int step = 10, most = 2; // px; times the height
  for (Size higher = size; higher.height <= most * size.height; higher.height += step) try {
      layout(diagram, higher);
      return higher;
    } catch (const NoRoom&) {
    }
  return size;
}

namespace {
Layout placed(const Diagram& diagram, Size size) {
  Layout l = frame(frame_of(diagram), size);
  l.axes = false;
  l.x_ticks.clear(), l.y_ticks.clear();
  Placer placer(diagram, l);
  placer.place_boxes();
  placer.place_lines();
  return l;
}
} // namespace

Layout layout(const Diagram& diagram, Size size) {
  if (size.width < 320 || size.height < 200 || size.width > 20000 || size.height > 20000)
    throw InputError(
        fmt::format("a picture is 320 x 200 to 20000 x 20000 px, not {} x {}", size.width, size.height));
  Layout l = placed(diagram, size);
  if (l.unplaced == 0) return l;
  Diagram noted = diagram;
  noted.notes.push_back(fmt::format("{} of lines found no room: a larger picture has more.",
                                    l.unplaced == 1 ? "1 label" : fmt::format("{} labels", l.unplaced)));
  try {
    return placed(noted, size);
  } catch (const NoRoom&) { // not for the note either
    return l;
  }
}

} // namespace perfmodel::plots
