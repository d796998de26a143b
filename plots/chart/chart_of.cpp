#include "lines_chart.hpp"
#include "roofline_chart.hpp"
#include "several_columns.hpp"

#include "models/core/error.hpp"

namespace perfmodel::plots {

namespace {

Chart drawn(const Result& predicted, const std::vector<Result>& measured) {
  switch (predicted.chart.kind) {
  case ChartKind::roofline:
    return roofline_chart(predicted, measured);
  case ChartKind::lines:
    return lines_chart(predicted, measured, predicted.chart);
  case ChartKind::bars:
    return bars_chart(predicted, measured, predicted.chart);
  case ChartKind::diagram: // diagram.hpp
  case ChartKind::none:
    break;
  }
  throw InputError("'" + predicted.model + "' has no chart of its own: name a column for x and one for y");
}

} // namespace

Chart chart_of(const Result& predicted, const std::vector<Result>& measured) {
  if (!names_several_columns(predicted.chart)) return drawn(predicted, measured);
  std::vector<Result> beside;
  for (const Result& result : measured) beside.push_back(columns_as_rows(result, predicted.chart));
  return drawn(columns_as_rows(predicted, predicted.chart), beside);
}

} // namespace perfmodel::plots
