#include "lines_chart.hpp"
#include "roofline_chart.hpp"

#include "models/core/error.hpp"

namespace perfmodel::plots {

Chart chart_of(const Result& predicted, const std::vector<Result>& measured) {
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

} // namespace perfmodel::plots
