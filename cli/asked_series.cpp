#include "asked_series.hpp"

#include "models/validation/row_prediction.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>

namespace perfmodel::cli {

namespace {

bool is_among(const Axis& axis, const Column& key, std::size_t row) {
  return std::any_of(axis.values.begin(), axis.values.end(), [&](const Value& v) {
    return key.is_text() ? v.text == key.text(row)
                         : std::fabs(v.number - key.number(row)) <= 1e-9 * std::fabs(v.number);
  });
}

// What was measured by words that nobody has to give, and the caller did not, and without a choice that the
// caller did make: sums of processes, by costs of their own, are not those of one of NCCL's protocols.
bool is_of_another_question(const Model& model, const Series& series, const Request& request) {
  const auto optional = [&](std::string_view name, OptionKind kind) {
    const Option* option = model.find(name);
    return option != nullptr && option->kind == kind && option->default_text.empty();
  };
  const auto asked = [&](const Column& key) {
    return std::any_of(request.inputs.begin(), request.inputs.end(),
                       [&](const Axis& axis) { return axis.name == key.name; });
  };
  const std::vector<Column>& columns = series.table.columns;
  return std::any_of(request.inputs.begin(), request.inputs.end(),
                     [&](const Axis& axis) {
                       return optional(axis.name, OptionKind::choice) &&
                              series.table.find(axis.name) == nullptr;
                     }) &&
         std::any_of(columns.begin(), columns.end(), [&](const Column& key) {
           return key.role == Role::key && optional(key.name, OptionKind::text) && !asked(key);
         });
}

using RowNumbers = std::vector<std::size_t>; // in order

RowNumbers rows_asked_for(const Model& model, const Table& table, const Request& request) {
  RowNumbers rows(table.rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  for (const Axis& axis : request.inputs) {
    const Column* key = table.find(axis.name);
    if (key == nullptr || names_nothing_of(model, *key)) continue;
    RowNumbers left;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(left),
                 [&](std::size_t row) { return is_among(axis, *key, row); });
    if (!left.empty() || key->is_text() || axis.name != model.info.x) rows = std::move(left);
  }
  return rows;
}

Series at(Series series, const RowNumbers& rows) {
  series.table = rows_where(
      series.table, [&](std::size_t row) { return std::binary_search(rows.begin(), rows.end(), row); });
  std::vector<RowMarks> marks;
  for (const std::size_t row : rows)
    if (row < series.marks.size()) marks.push_back(series.marks[row]);
  series.marks = std::move(marks);
  return series;
}

PredictedSeries at(const PredictedSeries& whole, const Series& series, const RowNumbers& rows) {
  PredictedSeries part{.gpu = whole.gpu, .title = whole.title, .key = key_of(series), .rows = {}};
  for (const std::size_t row : rows) part.rows.push_back(whole.rows[row]);
  return part;
}

} // namespace

AskedSeries series_asked_for(const Model& model, std::vector<Series> all, const Request& request,
                             const PredictionStore& kept) {
  AskedSeries asked;
  for (Series& s : all) {
    if (s.model != model.info.name || is_of_another_question(model, s, request)) continue;
    const RowNumbers rows = rows_asked_for(model, s.table, request);
    if (rows.empty()) continue;
    std::vector<const PredictedSeries*> predicted; // on each card
    const std::string key = kept.series.empty() ? "" : key_of(s);
    for (const PredictedSeries& p : kept.series)
      if (p.key == key && p.rows.size() == s.table.rows()) predicted.push_back(&p);
    Series left = at(std::move(s), rows);
    for (const PredictedSeries* p : predicted) asked.kept.series.push_back(at(*p, left, rows));
    asked.series.push_back(std::move(left));
  }
  const bool yardsticks_alone = std::all_of(asked.series.begin(), asked.series.end(),
                                            [&](const Series& s) { return is_yardstick(model, s); });
  return yardsticks_alone ? AskedSeries{} : asked;
}

} // namespace perfmodel::cli
