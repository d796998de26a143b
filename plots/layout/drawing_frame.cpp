#include "drawing_frame.hpp"

#include "font.hpp"
#include "frame.hpp"
#include "text_box.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {

constexpr double least_seen = 1.0 / 500; // of the width, about a px: what is narrower needs no legend
constexpr double natural_row = 30;       // px, of a drawing whose height is free

Chart frame_of(const DrawingFigure& f, const std::vector<CellLook>& looks) {
  Chart chart;
  chart.title = f.title, chart.description = f.description;
  chart.x.scale = chart.y.scale = Scale::category; // without ticks
  chart.notes = f.notes, chart.caption = f.caption;
  for (std::size_t k = 0; k < looks.size(); ++k) {
    const bool used =
        std::any_of(f.drawing.cells.begin(), f.drawing.cells.end(), [&](const Drawing::Cell& c) {
          return c.kind == k && c.width >= least_seen * f.drawing.width;
        });
    if (!used || f.drawing.kinds[k].name.empty()) continue;
    LegendEntry entry;
    entry.text = f.drawing.kinds[k].name, entry.colour = looks[k].colour, entry.bar = true;
    entry.fill = looks[k].fill, entry.strength = looks[k].strength;
    chart.legend.push_back(std::move(entry));
  }
  return chart;
}

} // namespace

Layout frame_around(const DrawingFigure& f, const std::vector<CellLook>& looks, Size size) {
  Layout l = frame(frame_of(f, looks), size);
  l.axes = false;
  l.x_ticks.clear(), l.y_ticks.clear();
  return l;
}

Size natural_size(const DrawingFigure& f) {
  Size size;
  const Layout l = frame_around(f, looks_of(f), size);
  const double around = static_cast<double>(size.height) - l.plot.height();
  const double unit = std::min(highest_unit, std::max(natural_row, 320 / f.drawing.height));
  size.height = static_cast<int>(around + unit * f.drawing.height);
  size.height = std::clamp(size.height, 240, 4000);
  return size;
}

namespace {
// So high that texts stand upright in cells that are too narrow for them, where that places all of them.
Size higher_for_texts(const DrawingFigure& f, Size size, int most) {
  if (!f.drawing.across.empty()) return size;
  for (Size higher = size; higher.height <= most; higher.height += higher.height / 4) try {
      if (layout(f, higher).unplaced == 0) return higher;
    } catch (const NoRoom&) {
    }
  return size;
}

// A shaft is seen behind the head of each arrow.
double unit_for_arrows(const Drawing& d) {
  constexpr double least_arrow = 11; // px
  double shortest = 0;
  for (const Drawing::Arrow& arrow : d.arrows)
    if (const double down = std::fabs(arrow.to_y - arrow.from_y); d.across.empty() && !arrow.line && down > 0)
      shortest = shortest > 0 ? std::min(shortest, down) : down;
  return shortest > 0 ? std::min(highest_unit, least_arrow / shortest) : 0;
}
} // namespace

Size readable_size(const DrawingFigure& f, Size size) {
  constexpr int page = 1200;       // px: 230 mm of a column
  double apart = f.drawing.height; // of two rows, at least
  for (std::size_t i = 1; i < f.drawing.rows.size(); ++i)
    apart = std::min(apart, std::fabs(f.drawing.rows[i].at - f.drawing.rows[i - 1].at));
  const double unit = std::max((label_size + 1) / std::max(apart, 1e-9), unit_for_arrows(f.drawing));
  for (int round = 0; round < 2; ++round) { // a higher picture has room for more lines of notes
    const Layout l = frame_around(f, looks_of(f), size);
    const double below = f.drawing.across.empty() ? -20 : scale_height,
                 above = f.drawing.columns.empty() ? 0 : label_size * line_height;
    const double around = static_cast<double>(size.height) - l.plot.height() + above + below;
    const double needed = std::min<double>(page, std::ceil(around + unit * f.drawing.height));
    size.height = std::max(size.height, static_cast<int>(needed));
  }
  return higher_for_texts(f, size, page);
}

} // namespace perfmodel::plots
