#include "obstacles.hpp"

#include <algorithm>

namespace perfmodel::plots {

namespace {
constexpr double cell = 24; // px, about a label's height

Rect bounds_of(const Segment& s) {
  return {std::min(s.a.x, s.b.x), std::min(s.a.y, s.b.y), std::max(s.a.x, s.b.x), std::max(s.a.y, s.b.y)};
}

bool cross(const Segment& s, const Segment& t) {
  const auto side = [](Point a, Point b, Point p) {
    return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x);
  };
  return (side(s.a, s.b, t.a) > 0) != (side(s.a, s.b, t.b) > 0) &&
         (side(t.a, t.b, s.a) > 0) != (side(t.a, t.b, s.b) > 0);
}
} // namespace

Obstacles::Obstacles(const Rect& area)
    : area_(area), columns_(static_cast<int>(area.width() / cell) + 1),
      rows_(static_cast<int>(area.height() / cell) + 1),
      cells_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

Obstacles::Cells Obstacles::cells_of(const Rect& b) const {
  const auto index = [](double at, double from, int count) {
    return static_cast<int>(std::clamp((at - from) / cell, 0.0, static_cast<double>(count - 1)));
  };
  return {index(b.left, area_.left, columns_), index(b.top, area_.top, rows_),
          index(b.right, area_.left, columns_), index(b.bottom, area_.top, rows_)};
}

// Whether `visit` holds for everything that may touch `bounds`.
template <class Visit> bool Obstacles::every(const Rect& bounds, Visit visit) const {
  const Cells c = cells_of(bounds);
  for (int row = c.top; row <= c.bottom; ++row)
    for (int column = c.left; column <= c.right; ++column)
      for (const int id : cells_[static_cast<std::size_t>(row * columns_ + column)])
        if (!visit(id)) return false;
  return true;
}

void Obstacles::add(const Quad& quad) {
  quads_.push_back(quad);
  const Cells c = cells_of(quad.bounds());
  for (int row = c.top; row <= c.bottom; ++row)
    for (int column = c.left; column <= c.right; ++column)
      cells_[static_cast<std::size_t>(row * columns_ + column)].push_back(static_cast<int>(quads_.size()) -
                                                                          1);
}

void Obstacles::add(const Segment& segment) {
  segments_.push_back(segment);
  const Cells c = cells_of(bounds_of(segment));
  for (int row = c.top; row <= c.bottom; ++row)
    for (int column = c.left; column <= c.right; ++column) {
      const double left = area_.left + column * cell, top = area_.top + row * cell;
      // Cells on the rim also stand for what lies outside the area.
      const bool on_rim = row == 0 || column == 0 || row == rows_ - 1 || column == columns_ - 1;
      if (on_rim || intersects(grown(quad_of({left, top, left + cell, top + cell}), 1), segment))
        cells_[static_cast<std::size_t>(row * columns_ + column)].push_back(
            ~(static_cast<int>(segments_.size()) - 1));
    }
}

bool Obstacles::is_free(const Quad& quad, bool lines) const {
  return every(quad.bounds(), [&](int id) {
    return id >= 0 ? !intersects(quad, quads_[static_cast<std::size_t>(id)])
                   : !lines || !intersects(quad, segments_[static_cast<std::size_t>(~id)]);
  });
}

bool Obstacles::is_free(const Segment& segment, bool lines) const {
  return every(bounds_of(segment), [&](int id) {
    if (id >= 0) return !intersects(quads_[static_cast<std::size_t>(id)], segment);
    return !lines || !cross(segment, segments_[static_cast<std::size_t>(~id)]);
  });
}

} // namespace perfmodel::plots
