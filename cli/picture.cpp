#include "picture.hpp"

#include "plots/chart/lines_chart.hpp"
#include "plots/output/html.hpp"
#include "plots/output/render.hpp"
#include "plots/output/svg.hpp"
#include "plots/output/terminal.hpp"

#include <algorithm>

namespace perfmodel::cli {

namespace {

constexpr int png_width = 1920; // a slide's

// A model's summary is a sentence; a picture's title is what stands before its colon.
plots::Chart chart_of(Result result, const std::vector<Result>& measured) {
  result.title.resize(std::min(result.title.find(':'), result.title.size()));
  return plots::chart_of(result, measured);
}

} // namespace

std::string draw(const Result& result, const std::vector<Result>& measured, std::string_view format) {
  const plots::Chart chart = chart_of(result, measured);
  if (format == "html") {
    std::vector<Result> tables{result};
    tables.insert(tables.end(), measured.begin(), measured.end());
    return plots::to_html(chart, tables);
  }
  const std::string svg = plots::to_svg(chart);
  if (format == "png") return plots::to_png(svg, png_width);
  if (format == "pdf") return plots::to_pdf(svg);
  return svg;
}

std::string draw_in_terminal(const Result& result, const std::vector<Result>& measured, std::size_t columns,
                             bool colour) {
  return plots::to_terminal(chart_of(result, measured), static_cast<int>(columns), colour);
}

} // namespace perfmodel::cli
