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

constexpr std::size_t most_held = 3, longest_held = 26; // the caption has all

// "Coalescing (h200): path = global, offset = 0": what the picture is of is read first.
void add_held_fixed(std::string& title, const Result& result) {
  std::vector<std::string> held = held_fixed(result);
  std::erase_if(held,
                [](const std::string& one) { return one.size() > longest_held; }); // a kernel's arguments
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

template <class Drawing> plots::Size grown_size(const Drawing& drawing, const plots::Size& size) {
  return plots::readable_size(drawing, size);
}

// Where a figure of the asked size has no room for everything, caption and notes go before the figure does.
template <class Drawing> std::string drawn(Drawing drawing, const Figure& figure) {
  const auto svg = [&](const plots::Size& size, const std::optional<plots::FigureSize>& real) {
    return plots::to_svg(plots::layout(drawing, size), *figure.theme, real);
  };
  if (!figure.size) return svg(usual_size(drawing), {});
  const plots::Size asked = figure.size->layout();
  while (true) {
    try {
      const plots::Size size = figure.size->grows ? grown_size(drawing, asked) : asked;
      return svg(size,
                 size.height > asked.height ? figure.size->with_layout_height(size.height) : *figure.size);
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

// As wide as a phone; "" where that has no room for it.
template <class Drawing> std::string drawn_narrow(Drawing drawing, const plots::Theme& theme) {
  constexpr int height = 400;
  for (const bool noted : {true, false}) try {
      if (!noted) drawing.notes.clear(), drawing.caption.clear();
      return plots::to_svg(plots::layout(drawing, grown_size(drawing, {plots::phone_width, height})), theme);
    } catch (const plots::NoRoom&) {
    }
  return "";
}

// The same picture for who reads by a dark screen, unless a theme was asked for, and on a phone, unless a
// size was.
template <class Drawing> plots::PagePicture page_picture(const Drawing& drawing, Figure figure) {
  plots::PagePicture picture{.svg = drawn(drawing, figure), .dark = {}, .narrow = {}, .narrow_dark = {}};
  if (!figure.size) picture.narrow = drawn_narrow(drawing, *figure.theme);
  if (figure.theme_asked) return picture;
  figure.theme = &plots::theme_named("dark");
  picture.dark = drawn(drawing, figure);
  if (!picture.narrow.empty()) picture.narrow_dark = drawn_narrow(drawing, *figure.theme);
  return picture;
}

std::string in_format(std::string svg, std::string_view format, const Figure& figure) {
  if (format == "png") return plots::to_png(svg, figure.size ? figure.size->png_width() : png_width);
  if (format == "pdf") return plots::to_pdf(svg);
  return svg;
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
    if (!figure.note.empty()) drawing.notes.push_back(figure.note);
    drawing.caption = figure.caption;
    return drawing;
  };
  // Of the chart, or of the diagram.
  const auto rendered = [&](const auto& drawing) {
    if (format == "html") {
      const plots::PagePicture picture = page_picture(drawing, figure);
      return plots::to_html(drawing.title, picture, tables(), *figure.theme, figure.size);
    }
    return in_format(drawn(drawing, figure), format, figure);
  };
  if (result.chart.kind == ChartKind::diagram) return rendered(dressed(diagram_of(result)));
  plots::Chart chart = dressed(chart_of(result, measured));
  if (figure.theme->monochrome) chart = plots::monochrome(std::move(chart));
  return rendered(chart);
}

std::string draw(const Drawing& drawing, std::string_view format, const Figure& figure) {
  plots::DrawingFigure drawn_figure = plots::figure_of(drawing);
  if (!figure.title.empty()) drawn_figure.title = figure.title;
  drawn_figure.caption = figure.caption;
  drawn_figure.monochrome = figure.theme->monochrome;
  if (format == "html")
    return plots::to_html(drawn_figure.title, page_picture(drawn_figure, figure), {as_result(drawing)},
                          *figure.theme, figure.size);
  return in_format(drawn(drawn_figure, figure), format, figure);
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
