// Names of regions: anywhere inside them where there is room, rather low.
#include "labels.hpp"

#include "frame.hpp"
#include "text_box.hpp"

#include <algorithm>

namespace perfmodel::plots {

namespace {
bool inside_polygon(const std::vector<Point>& polygon, Point p) {
  bool in = false;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const Point a = polygon[i], b = polygon[j];
    if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) in = !in;
  }
  return in;
}
} // namespace

void place_region_labels(Layout& l, Obstacles& obstacles, const std::vector<RegionLabel>& labels) {
  for (const RegionLabel& label : labels) {
    if (label.outline.size() < 3 || label.text.empty()) continue;
    Rect bounds{1e9, 1e9, -1e9, -1e9};
    for (const Point p : label.outline)
      bounds = {std::min(bounds.left, p.x), std::min(bounds.top, p.y), std::max(bounds.right, p.x),
                std::max(bounds.bottom, p.y)};
    Text t;
    t.text = label.text, t.title = label.title, t.size = axis_size, t.colour = label.colour, t.halo = true;
    bool placed = false;
    for (double y = bounds.bottom - 16; !placed && y > bounds.top; y -= 12)
      for (const double part : {0.5, 0.42, 0.58, 0.35, 0.65, 0.27, 0.73, 0.2, 0.8}) {
        centre_text(t, {bounds.left + part * bounds.width(), y});
        const Quad box = grown(t.box, 3);
        placed = std::all_of(box.corners.begin(), box.corners.end(),
                             [&](Point p) { return inside_polygon(label.outline, p); }) &&
                 inside(t.box, l.plot) && obstacles.is_free(grown(t.box, 1.5));
        if (placed) break;
      }
    if (placed) {
      obstacles.add(with_spaces(t));
      l.labels.push_back(std::move(t));
    }
    // A region without room for its name keeps its tint and its tooltip.
  }
}

} // namespace perfmodel::plots
