#include "terminal.hpp"

#include "ascii.hpp"
#include "braille.hpp"
#include "plots/chart/palette.hpp"
#include "plots/layout/geometry.hpp"
#include "plots/layout/ticks.hpp"
#include "plots/layout/utf8.hpp"
#include "terminal_text.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace perfmodel::plots {

namespace {
// Of lines and of colours of bars; "o" is a marker.
constexpr std::u32string_view letters = U"abcdefghijklmnpqrstuvwxyzABCDEFGHIJKLMNPQRSTUVWXYZ";
// One character for each Shape, in its order; a warning is '!'.
constexpr char32_t markers[] = U"o□△◇▽⬠⬡•";

// Of a predicted mark that is not known; of a bar's sample and a line's.
char32_t graded(Grade grade, char32_t known) {
  return grade == Grade::known ? known : grade == Grade::inherited ? U'◐' : U'⊖';
}
constexpr const char* bar_samples[] = {"█", "⠭", "⠉"};
// Dots that are left out after one that is drawn.
int left_out(Grade grade) { return grade == Grade::known ? 0 : grade == Grade::inherited ? 1 : 3; }

struct Drawing {
  const Chart& chart;
  Braille canvas;
  bool colour;
  std::vector<std::string> key{}; // the lines of the legend
  std::size_t lettered = 0;       // as many letters are in use
  bool bars_have_letters = false;

  Point at(Point p) const { // in dots
    return {position_on(chart.x, p.x) * (canvas.dots_across() - 1),
            (1 - position_on(chart.y, p.y)) * (canvas.dots_down() - 1)};
  }
  Rect area() const { return {0, 0, canvas.dots_across() - 1.0, canvas.dots_down() - 1.0}; }

  std::string painted(const std::string& text, int slot) const {
    return colour ? "\033[38;5;" + std::to_string(terminal_colour(slot)) + "m" + text + "\033[0m" : text;
  }

  void draw_bar(const Bar& bar) {
    const Point top = at({bar.x, bar.value});
    const double foot =
        std::clamp(at({bar.x, chart.y.scale == Scale::linear ? 0.0 : chart.y.low}).y, 0.0, area().bottom);
    if (!std::isfinite(top.x) || !std::isfinite(top.y)) return;
    const double half = bar.width / 2 * (at({bar.x + 1, bar.value}).x - top.x);
    for (double x = top.x - half; x < top.x + half; ++x)
      canvas.line(x, std::clamp(top.y, 0.0, area().bottom), x, foot, terminal_colour(bar.colour), 1,
                  left_out(bar.grade));
  }

  void draw_density(const Density& density) {
    for (std::size_t i = 0; i < density.cells.size(); ++i) {
      const Density::Cell& cell = density.cells[i];
      const auto across = static_cast<std::size_t>(density.columns);
      const std::size_t column = i % across, row = i / across;
      const double u = (static_cast<double>(column) + 0.5) / density.columns,
                   v = (static_cast<double>(row) + 0.5) / density.rows;
      if (cell.count > 0)
        canvas.dot(static_cast<int>(u * canvas.dots_across()), static_cast<int>(v * canvas.dots_down()),
                   terminal_colour(cell.colour));
    }
  }

  // Returns the cell of the line's right end.
  Point draw_line(const ChartLine& line) {
    Point end{-1, -1};
    // Lines of a sweep have letters; gaps would only blur them.
    const bool solid = line.dash == Dash::solid || line.sample;
    const bool dotted = !solid && line.dash == Dash::dotted;
    const bool known = line.grade == Grade::known;
    const int on = known && !dotted ? 3 : 1, off = known ? (solid ? 0 : 2) : left_out(line.grade);
    int start = 0;
    for (std::size_t i = 0; i + 1 < line.points.size(); ++i) {
      const Point a = at(line.points[i]), b = at(line.points[i + 1]);
      if (!std::isfinite(a.x + a.y + b.x + b.y)) continue;
      const auto kept = clip(Segment{a, b}, area());
      if (!kept) continue;
      start = canvas.line(kept->a.x, kept->a.y, kept->b.x, kept->b.y, terminal_colour(line.colour), on, off,
                          known ? 0 : start);
      end = kept->b;
    }
    return {std::floor(end.x / 2), std::floor(end.y / 4)};
  }

  // Lines get a letter, written near their right end where nothing stands yet.
  void draw_lines() {
    for (const ChartLine& line : chart.lines) {
      const Point end = draw_line(line);
      if (line.spot == LabelSpot::none || end.x < 0 || lettered >= letters.size()) continue;
      int column = static_cast<int>(end.x), row = static_cast<int>(end.y);
      if (line.spot == LabelSpot::along && line.points.size() > 1) { // halfway up, where no flat line ends
        const Point middle = 0.5 * (at(line.points.front()) + at(line.points.back()));
        column = std::max(0, static_cast<int>(middle.x / 2)), row = static_cast<int>(middle.y / 4);
      }
      for (int tries = 0; tries < 12 && canvas.taken(column, row); ++tries) column -= 2;
      canvas.put(column, row, letters[lettered], terminal_colour(line.colour));
      key.push_back(painted(encode(std::u32string(1, letters[lettered])), line.colour) + "\t" + line.label);
      ++lettered;
    }
  }

  // Of several colours of bars each has a letter, in its bars and in the legend: not everybody sees colours,
  // nor has every terminal some.
  void letter_bars() {
    const auto is_kind = [](const LegendEntry& e) { return e.bar && e.grade == Grade::known; };
    bars_have_letters = std::count_if(chart.legend.begin(), chart.legend.end(), is_kind) > 1;
    if (!bars_have_letters) return;
    for (const LegendEntry& e : chart.legend) {
      if (!is_kind(e) || lettered >= letters.size()) continue;
      const std::string letter = encode(std::u32string(1, letters[lettered]));
      key.push_back(painted(letter, e.colour) + "\t" + e.text);
      for (const Bar& bar : chart.bars) {
        const Point top = at({bar.x, bar.value});
        if (bar.colour != e.colour || !std::isfinite(top.x + top.y)) continue;
        const double y = std::clamp(top.y, 0.0, area().bottom);
        canvas.put(static_cast<int>(top.x / 2), static_cast<int>(y / 4), letters[lettered],
                   terminal_colour(bar.colour));
      }
      ++lettered;
    }
  }

  // No heads: the steps are numbered.
  void draw_arrows() {
    for (const ChartArrow& arrow : chart.arrows) {
      const Point a = at(arrow.from), b = at(arrow.to);
      if (std::isfinite(a.x + a.y + b.x + b.y) && area().holds(a) && area().holds(b))
        canvas.line(a.x, a.y, b.x, b.y, terminal_colour(arrow.colour), 2, 0);
    }
  }

  void draw_dots() {
    for (const ChartDot& dot : chart.dots) {
      const Point p = at(dot.at);
      if (!std::isfinite(p.x + p.y) || !area().holds(p)) continue;
      const char32_t number = dot.step > 0 && dot.step < 10 ? U'0' + static_cast<char32_t>(dot.step) : 0;
      const char32_t c = dot.warning   ? U'!'
                         : number != 0 ? number
                                       : graded(dot.grade, markers[static_cast<int>(dot.shape)]);
      if (dot.radius < 3 || (dot.shape == Shape::dot && dot.radius < 4)) continue; // for tooltips only
      canvas.put(static_cast<int>(p.x / 2), static_cast<int>(p.y / 4),
                 dot.dropped ? graded(dot.grade, U'●') : c,
                 terminal_colour(dot.warning ? alarm : dot.colour));
      if (dot.dropped)
        key.push_back(painted(encode(std::u32string(1, graded(dot.grade, U'●'))), dot.colour) + "\t" +
                      dot.label);
      if (number != 0) key.push_back(painted(encode(std::u32string(1, c)), dot.colour) + "\t" + dot.label);
    }
    for (const LegendEntry& e : chart.legend)
      if (e.bar && e.grade == Grade::known && bars_have_letters)
        continue; // with its letter
      else if (e.bar)
        key.push_back(painted(bar_samples[static_cast<int>(e.grade)], e.colour) + "\t" + e.text);
      else if (e.shades)
        key.push_back(painted("⣿", e.colour) + "\t" + e.text);
      else if (e.line && e.grade != Grade::known)
        key.push_back(painted("⠂", e.colour) + "\t" + e.text +
                      (e.grade == Grade::inherited ? ": dotted" : ": sparsely dotted"));
      else if (e.marker)
        key.push_back(painted(e.warning ? "!"
                                        : encode(std::u32string(
                                              1, graded(e.grade, markers[static_cast<int>(e.shape)]))),
                              e.warning ? alarm : e.colour) +
                      "\t" + e.text);
  }
};

// The same chart in words that ASCII can spell.
Chart spelled(Chart chart) {
  const auto spell = [](std::string& text) { text = ascii_words(text); };
  for (std::string* text : {&chart.title, &chart.x.label, &chart.y.label}) spell(*text);
  for (ChartLine& line : chart.lines) spell(line.label);
  for (ChartDot& dot : chart.dots) spell(dot.label);
  for (LegendEntry& entry : chart.legend) spell(entry.text);
  for (std::string& note : chart.notes) spell(note);
  return chart;
}

std::string drawn(const Chart& chart, int columns, bool colour, const TickWords& words) {
  columns = std::clamp(columns, 40, 400);
  const int rows = std::clamp(columns / 4, 14, 40);
  const std::vector<Tick> y_ticks = told(ticks_of(chart.y, rows / 2), words);
  int margin = 1;
  for (const Tick& t : y_ticks) margin = std::max(margin, columns_of(t.text) + 1);
  margin = std::min(margin, columns / 4) + 1;
  const int across = columns - margin - 1;

  Drawing d{chart, Braille(across, rows), colour};
  for (const Density& density : chart.densities) d.draw_density(density);
  for (const Bar& bar : chart.bars) d.draw_bar(bar);
  d.draw_lines();
  d.letter_bars();
  d.draw_arrows();
  d.draw_dots();

  std::string out;
  if (!chart.title.empty()) write_wrapped(out, chart.title, columns);
  if (!chart.y.label.empty()) out += cut_to_columns(chart.y.label, columns) + "\n";
  for (int row = 0; row < rows; ++row) {
    std::string text;
    for (const Tick& t : y_ticks) {
      const double y = (1 - position_on(chart.y, t.value)) * (4 * rows - 1);
      if (static_cast<int>(y / 4) == row && text.empty()) text = cut_to_columns(t.text, margin - 2);
    }
    out += spaces(margin - 2 - columns_of(text)) + text + (text.empty() ? " │" : " ┤") +
           d.canvas.row(row, colour) + "\n";
  }
  write_x_axis(out, chart, margin, across, words);
  write_key(out, d.key, columns);
  for (const std::string& note : chart.notes) write_wrapped(out, note, columns);
  return out;
}
} // namespace

std::string to_terminal(const Chart& chart, int columns, bool colour, Charset charset) {
  if (charset == Charset::utf8)
    return drawn(chart, columns, colour, [](const std::string& text) { return text; });
  return ascii_drawing(
      drawn(spelled(chart), columns, colour, [](const std::string& text) { return ascii_words(text); }));
}

} // namespace perfmodel::plots
