#include "picture.hpp"

#include "plots/chart/lines_chart.hpp"
#include "plots/chart/monochrome.hpp"
#include "plots/layout/diagram_layout.hpp"
#include "plots/layout/drawing_layout.hpp"
#include "plots/output/html.hpp"
#include "plots/output/render.hpp"
#include "plots/output/svg.hpp"
#include "plots/output/terminal.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

namespace perfmodel::cli {

namespace {

constexpr int png_width = 1920; // a slide's

// A model's summary is a sentence; a picture's title is what stands before its colon.
void shorten_title(Result& result) {
  result.title.resize(std::min(result.title.find(':'), result.title.size()));
}

constexpr std::size_t most_held = 3; // the caption has all

// "Coalescing (h200): 4 B words, offset 0": what the picture is of is read first.
void add_held_fixed(std::string& title, const Result& result) {
  std::vector<std::string> held = held_fixed(result);
  if (held.size() > most_held) held.resize(most_held);
  if (!held.empty()) title += fmt::format(": {}", fmt::join(held, ", "));
}

plots::Chart chart_of(const Result& result, const std::vector<Result>& measured) {
  plots::Chart chart = plots::chart_of(result, measured);
  add_held_fixed(chart.title, result);
  chart.description = fmt::format("{}", fmt::join(result.verdict, " "));
  return chart;
}

plots::Diagram diagram_of(const Result& result) {
  plots::Diagram diagram = plots::diagram_of(result);
  diagram.description = fmt::format("{}", fmt::join(result.verdict, " "));
  return diagram;
}

plots::Size usual_size(const plots::DrawingFigure& figure) { return plots::natural_size(figure); }
template <class Drawing> plots::Size usual_size(const Drawing&) { return {}; }

// Where a figure of the asked size has no room for everything, caption and notes go before the figure does.
template <class Drawing> std::string drawn(Drawing drawing, const Figure& figure) {
  const auto svg = [&](const plots::Size& size) {
    return plots::to_svg(plots::layout(drawing, size), *figure.theme, figure.size);
  };
  if (!figure.size) return svg(usual_size(drawing));
  const plots::Size size = figure.size->layout();
  while (true) {
    try {
      return svg(size);
    } catch (const plots::NoRoom&) {
      const bool without_caption = drawing.caption.empty() || figure.keeps_caption;
      if (without_caption && drawing.notes.empty())
        throw InputError(fmt::format("--size: {} x {} is too small for this figure with text of {:.3g} pt",
                                     figure.size->width.text(), figure.size->height.text(),
                                     figure.size->font));
      if (without_caption)
        drawing.notes.clear();
      else
        drawing.caption.clear();
    }
  }
}

// The same picture for who reads a page by a dark screen; "" where a theme was asked for.
template <class Drawing> std::string drawn_for_dark(const Drawing& drawing, Figure figure) {
  if (figure.theme_asked) return "";
  figure.theme = &plots::theme_named("dark");
  return drawn(drawing, figure);
}

// As POSIX says: the first of these that is set and not empty; without any the locale is C.
plots::Charset terminal_charset() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string locale = value;
    for (char& c : locale)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool utf8 = locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
    return utf8 ? plots::Charset::utf8 : plots::Charset::ascii;
  }
  return plots::Charset::ascii;
}

} // namespace

std::string draw(Result result, const std::vector<Result>& measured, std::string_view format,
                 const Figure& figure) {
  shorten_title(result);
  const auto tables = [&] { // moved there: a sweep is long
    std::vector<Result> all;
    all.push_back(std::move(result));
    all.insert(all.end(), measured.begin(), measured.end());
    return all;
  };
  const auto dressed = [&](auto drawing) {
    if (!figure.title.empty()) drawing.title = figure.title;
    drawing.caption = figure.caption;
    return drawing;
  };
  std::string svg, title, dark;
  const bool page = format == "html";
  if (result.chart.kind == ChartKind::diagram) {
    const plots::Diagram diagram = dressed(diagram_of(result));
    title = diagram.title, svg = drawn(diagram, figure);
    if (page) dark = drawn_for_dark(diagram, figure);
  } else {
    plots::Chart chart = dressed(chart_of(result, measured));
    if (figure.theme->monochrome) chart = plots::monochrome(std::move(chart));
    title = chart.title, svg = drawn(chart, figure);
    if (page) dark = drawn_for_dark(chart, figure);
  }
  if (page) return plots::to_html(title, svg, tables(), *figure.theme, figure.size, dark);
  if (format == "png") return plots::to_png(svg, figure.size ? figure.size->png_width() : png_width);
  if (format == "pdf") return plots::to_pdf(svg);
  return svg;
}

std::string draw(const Drawing& drawing, std::string_view format, const Figure& figure) {
  plots::DrawingFigure drawn_figure = plots::figure_of(drawing);
  if (!figure.title.empty()) drawn_figure.title = figure.title;
  drawn_figure.caption = figure.caption;
  drawn_figure.monochrome = figure.theme->monochrome;
  const std::string svg = drawn(drawn_figure, figure);
  if (format == "html")
    return plots::to_html(drawn_figure.title, svg, {as_result(drawing)}, *figure.theme, figure.size,
                          drawn_for_dark(drawn_figure, figure));
  if (format == "png") return plots::to_png(svg, figure.size ? figure.size->png_width() : png_width);
  if (format == "pdf") return plots::to_pdf(svg);
  return svg;
}

std::string draw_in_terminal(Result result, const std::vector<Result>& measured, std::size_t columns,
                             bool colour) {
  if (result.chart.kind == ChartKind::diagram)
    throw InputError(fmt::format("--plot: {} has no picture for a terminal; -o {}.svg draws it", result.model,
                                 result.model));
  shorten_title(result);
  return plots::to_terminal(chart_of(result, measured), static_cast<int>(columns), colour,
                            terminal_charset());
}

} // namespace perfmodel::cli
