#include "diagram_lines.hpp"

#include "font.hpp"
#include "frame.hpp"
#include "text_box.hpp"

#include <algorithm>
#include <map>

namespace perfmodel::plots {

namespace {

class LinePlacer {
public:
  LinePlacer(const Diagram& d, const PlacedBoxes& boxes, Layout& l) : d_(d), boxes_(boxes), l_(l) {}

  void place() {
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
    sides_[{line.a, side(line, line.a)}].emplace_back(boxes_.rects[line.b].centre().x, i);
    sides_[{line.b, side(line, line.b)}].emplace_back(boxes_.rects[line.a].centre().x, i);
  }
  // Lines leave a side next to one another, in the order of where they go.
  Point leaves(std::size_t i, std::size_t box) const {
    const Side at = side(d_.lines[i], box);
    const std::vector<EndAt>& ends = sides_.at({box, at});
    const auto mine = std::find_if(ends.begin(), ends.end(), [&](const EndAt& e) { return e.second == i; });
    const double part =
        (static_cast<double>(mine - ends.begin()) + 1) / (static_cast<double>(ends.size()) + 1);
    const Rect& r = boxes_.rects[box];
    return rounded(Point{r.left + part * r.width(), at == Side::top ? r.top : r.bottom});
  }
  std::vector<Point> stroke(std::size_t i) const {
    const DiagramLine& line = d_.lines[i];
    if (beside(line)) {
      const bool swapped = boxes_.rects[line.b].left < boxes_.rects[line.a].left;
      const Rect &left = boxes_.rects[swapped ? line.b : line.a],
                 &right = boxes_.rects[swapped ? line.a : line.b];
      return {{left.right, left.centre().y}, {right.left, right.centre().y}};
    }
    const Point a = leaves(i, line.a), b = leaves(i, line.b);
    if (!level(line)) return {a, b};
    const double below = a.y + boxes_.heights[d_.boxes[line.a].row] / 2;
    return {a, rounded(Point{a.x, below}), rounded(Point{b.x, below}), b};
  }

  // Beside no other label and on no box, or in the tooltip alone.
  void place_label(const DiagramLine& line, const std::vector<Point>& stroke) {
    const Point a = stroke.front(), b = stroke.back();
    for (const double part : {0.5, 0.38, 0.62, 0.28, 0.72}) {
      // To the right of the line, on the side to which it leans away; above one that is level.
      const double wide = text_width(line.label, label_size), lean = a.x < b.x ? -0.5 : a.x > b.x ? 0.5 : 0;
      const Point beside = a.y == b.y ? Point{0, -label_size}
                                      : Point{wide / 2 + box_gap, (a.y < b.y ? lean : -lean) * label_size};
      Text text = text_around(line.label, a + part * (b - a) + beside, line.colour);
      text.halo = true;
      const auto touches = [&](const Quad& other) { return intersects(grown(text.box, 2), other); };
      if (std::any_of(l_.labels.begin(), l_.labels.end(), [&](const Text& t) { return touches(t.box); }) ||
          std::any_of(boxes_.rects.begin(), boxes_.rects.end(),
                      [&](const Rect& r) { return touches(quad_of(r)); }))
        continue;
      l_.labels.push_back(std::move(text));
      return;
    }
    ++l_.unplaced;
  }

  const Diagram& d_;
  const PlacedBoxes& boxes_;
  Layout& l_;
  std::map<SideOf, std::vector<EndAt>> sides_;
};

} // namespace

void place_lines(const Diagram& diagram, const PlacedBoxes& boxes, Layout& l) {
  LinePlacer(diagram, boxes, l).place();
}

} // namespace perfmodel::plots
