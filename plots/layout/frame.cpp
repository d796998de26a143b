#include "frame.hpp"

#include "category_names.hpp"
#include "font.hpp"
#include "narrow.hpp"
#include "text_box.hpp"
#include "ticks.hpp"
#include "wrap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
constexpr double edge = 16, legend_row = 20, sample = 26;
constexpr std::size_t most_caption_lines = 3, most_narrow_lines = 6, most_label_lines = 2;

void put(Layout& l, std::string text, Point at, double size, Anchor anchor = Anchor::start, int colour = ink,
         bool bold = false, double angle = 0) {
  if (text.empty()) return;
  Text t;
  t.text = std::move(text), t.at = rounded(at), t.size = size, t.anchor = anchor;
  t.colour = colour, t.bold = bold, t.angle = angle;
  measure(t);
  l.frame.push_back(std::move(t));
}

// Rows of samples with their texts from y downwards; the y below the last row. What a quarter of the picture
// has no room for is counted.
double put_legend(Layout& l, const std::vector<LegendEntry>& legend, double y) {
  const double right = l.size.width - edge, lowest = y + l.size.height / 4.0;
  double x = edge;
  for (std::size_t i = 0; i < legend.size(); ++i) {
    const LegendEntry& entry = legend[i];
    const std::string text = cut_to_width(entry.text, right - edge - sample - 8, label_size);
    const double width = sample + 8 + text_width(text, label_size);
    if (x > edge && x + width > right) x = edge, y += legend_row;
    // The last one takes no more room than the words that it is left out.
    const bool has_room = y + legend_row <= lowest || (i + 1 == legend.size() && x == edge);
    if (!has_room) {
      put(l, fmt::format("and {} more", legend.size() - i),
          {x, y + legend_row / 2 + label_size * (ascent - descent) / 2}, label_size);
      break;
    }
    l.samples.push_back({rounded(Point{x, y + legend_row / 2}), entry});
    put(l, text, {x + sample + 8, y + legend_row / 2 + label_size * (ascent - descent) / 2}, label_size);
    x += width + 22;
  }
  return legend.empty() ? y : y + legend_row;
}

void cut_lines(std::vector<std::string>& lines, std::size_t most, double picture, double size = note_size) {
  if (lines.size() > most)
    lines.resize(most), lines.back() = cut_to_width(lines.back() + " …", picture - edge - 2, size);
}

// Notes and caption from the bottom upwards; the y above the first line.
double put_notes(Layout& l, const std::vector<std::string>& notes, const std::string& caption) {
  std::vector<std::string> lines;
  for (const std::string& note : notes)
    for (std::string& line : wrapped(note, l.size.width - 2 * edge, note_size))
      lines.push_back(std::move(line));
  const int of_height = l.size.width < narrow_width ? 70 : 100; // px for each line of notes
  cut_lines(lines, std::max<std::size_t>(1, static_cast<std::size_t>(l.size.height / of_height)),
            l.size.width);
  std::vector<std::string> last;
  if (!caption.empty()) last = wrapped(caption, l.size.width - 2 * edge, note_size);
  cut_lines(last, l.size.width < small_width ? most_narrow_lines : most_caption_lines, l.size.width);
  lines.insert(lines.end(), last.begin(), last.end());
  double y = l.size.height - 12.0 - static_cast<double>(lines.size()) * note_size * line_height;
  const double top = lines.empty() ? l.size.height - 8.0 : y - 2;
  for (std::string& line : lines) {
    y += note_size * line_height;
    put(l, std::move(line), {edge, y - 1}, note_size, Anchor::start, grey);
  }
  return top;
}

double gutter(const Chart& chart, const Size& size) {
  if (chart.names_share_rows) return gutter_gap + size.width * 0.3;
  double widest = 0;
  for (const ChartLine& line : chart.lines)
    if (line.spot == LabelSpot::right)
      widest =
          std::max(widest, text_width(line.label, label_size, line.bold) + (line.sample ? sample_width : 0));
  return widest == 0 ? 0 : gutter_gap + std::min(widest, size.width * 0.32);
}

bool fit_beside(const std::vector<PlacedTick>& ticks) {
  for (std::size_t i = 1; i < ticks.size(); ++i) {
    const double room = std::abs(ticks[i].at - ticks[i - 1].at);
    if ((text_width(ticks[i].text, tick_size) + text_width(ticks[i - 1].text, tick_size)) / 2 + tick_gap >
        room)
      return false;
  }
  return true;
}

std::vector<PlacedTick> x_ticks(const ChartAxis& axis, const Rect& plot, bool are_aslant) {
  const auto at = [&](double v) { return rounded(plot.left + position_on(axis, v) * plot.width()); };
  if (axis.scale == Scale::category) {
    const std::size_t every =
        are_aslant ? shown_aslant(axis, plot.width()) : shown_category(axis, plot.width());
    std::vector<PlacedTick> ticks;
    for (std::size_t i = 0; i < axis.categories.size(); i += every)
      ticks.push_back({at(static_cast<double>(i)), axis.categories[i]});
    return ticks;
  }
  for (int most = static_cast<int>(plot.width() / 36);; --most) {
    std::vector<PlacedTick> ticks;
    for (const Tick& tick : ticks_of(axis, most)) ticks.push_back({at(tick.value), tick.text});
    if (most <= 3 || fit_beside(ticks)) return ticks;
  }
}
} // namespace

Layout frame(const Chart& chart, Size size) {
  Layout l;
  l.size = size;
  l.title = chart.title;
  l.description = chart.description;
  double top = 10;
  if (!chart.title.empty()) {
    const double title = size.width < small_width ? small_title_size : title_size;
    for (const std::string& line : balanced(chart.title, size.width - 2 * edge, title, true)) {
      put(l, line, {edge, top + title * 0.95}, title, Anchor::start, ink, true);
      top += title * line_height;
    }
    top += 4;
  }
  l.plot.top = rounded(put_legend(l, chart.legend, top) + 10);
  std::vector<std::string> x_label = wrapped(chart.x.label, l.size.width - 2 * edge, axis_size);
  cut_lines(x_label, most_label_lines, l.size.width, axis_size);
  const double label_row = axis_size * line_height;
  const double label_height = x_label.empty() ? 6 : 24 + label_row * static_cast<double>(x_label.size() - 1);
  l.plot.bottom = rounded(put_notes(l, chart.notes, chart.caption) - label_height - 22);
  const bool narrow = size.width < narrow_width;
  // Half of the last tick's text stands right of the plot where there is no margin.
  l.plot.right = rounded(size.width - edge - std::max(gutter(chart, size), narrow ? 8.0 : 0.0));
  // The width is not known before the height: 70 px is what the y axis takes, give or take a digit.
  const double width = l.plot.right - edge - 70;
  const bool are_aslant = stand_aslant(chart.x, size.width, width);
  const double guessed = names_height(chart.x, width, are_aslant);
  l.plot.bottom = rounded(l.plot.bottom - guessed);
  l.x_grid = chart.x.scale != Scale::category;

  const std::vector<Tick> y_ticks =
      ticks_of(chart.y, static_cast<int>(l.plot.height() / (chart.y.scale != Scale::linear ? 24
                                                            : narrow                       ? 28
                                                                                           : 40)));
  double widest = 0;
  for (const Tick& tick : y_ticks) widest = std::max(widest, text_width(tick.text, tick_size));
  l.plot.left = rounded(edge + (chart.y.label.empty() ? 0 : 22) + widest + 8);
  // Names that stood upright in the width that was guessed may have room to stand aslant, which is less high.
  const double below = names_height(chart.x, l.plot.width(), are_aslant);
  l.plot.bottom = rounded(l.plot.bottom + guessed - below);
  for (const Tick& tick : y_ticks)
    l.y_ticks.push_back(
        {rounded(l.plot.bottom - position_on(chart.y, tick.value) * l.plot.height()), tick.text});
  l.x_ticks = x_ticks(chart.x, l.plot, are_aslant);

  const double tick_drop = tick_size * (ascent - descent) / 2;
  for (const PlacedTick& tick : l.y_ticks)
    put(l, tick.text, {l.plot.left - 7, tick.at + tick_drop}, tick_size, Anchor::end);
  for (const PlacedTick& tick : l.x_ticks) {
    if (are_aslant) {
      l.frame.push_back(aslant(tick, l.plot.bottom, chart.x, l.plot.width()));
      continue;
    }
    double y = l.plot.bottom + 19;
    for (std::string& line : tick_lines(chart.x, tick.text, l.plot.width())) {
      put(l, std::move(line), {tick.at, y}, tick_size, Anchor::middle);
      y += tick_size * line_height;
    }
  }
  const Point centre = l.plot.centre();
  double label_y = l.plot.bottom + 41 + below;
  for (std::string& line : x_label) {
    const double half = text_width(line, axis_size) / 2; // wider than the plot it may not leave the picture
    put(l, std::move(line), {std::clamp(centre.x, edge + half, l.size.width - edge - half + 0.01), label_y},
        axis_size, Anchor::middle);
    label_y += label_row;
  }
  // Longer than the axis it goes on below it, where there is nothing: above stands the legend.
  constexpr double above = 8, below_axis = 32;
  const std::string y_label = cut_to_width(chart.y.label, l.plot.height() + above + below_axis, axis_size);
  const double y_centre = std::max(centre.y, l.plot.top - above + text_width(y_label, axis_size) / 2);
  put(l, y_label, {edge + 12, y_centre}, axis_size, Anchor::middle, ink, false, -90);
  return l;
}

} // namespace perfmodel::plots
