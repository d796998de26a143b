#include "prediction_tables.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfmodel::hwdb {

namespace {

using Texts = std::vector<std::string>;
using Counts = std::vector<std::int64_t>;
using Numbers = std::vector<double>;
using Places = std::vector<std::size_t>;

bool is_same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

bool is_same(const Step& a, const Step& b) {
  return a.symbol == b.symbol && a.meaning == b.meaning && a.formula == b.formula && a.numbers == b.numbers &&
         is_same(a.value, b.value) && a.unit.symbol == b.unit.symbol && a.text == b.text &&
         a.is_fact == b.is_fact && a.is_fitted == b.is_fitted && a.status == b.status && a.layer == b.layer &&
         a.grade == b.grade && is_same(a.low, b.low) && is_same(a.high, b.high) && a.source == b.source &&
         a.place == b.place && a.probe == b.probe;
}
bool is_same(const std::string& a, const std::string& b) { return a == b; }

// Their places in `all`, to which it adds those that are not there.
template <class T> std::string places_in(std::vector<T>& all, const std::vector<T>& some) {
  Places places;
  for (const T& one : some) {
    auto at = std::find_if(all.begin(), all.end(), [&](const T& there) { return is_same(there, one); });
    if (at == all.end()) at = all.insert(all.end(), one);
    places.push_back(static_cast<std::size_t>(at - all.begin()));
  }
  return fmt::format("{}", fmt::join(places, " "));
}

template <class T> std::vector<T> at_places(const std::vector<T>& all, std::string_view places) {
  std::vector<T> some;
  while (!places.empty()) {
    std::size_t place = all.size();
    const auto read = std::from_chars(places.data(), places.data() + places.size(), place);
    if (read.ec != std::errc() || place >= all.size())
      throw InputError(fmt::format("there is no constant or note '{}'", places));
    some.push_back(all[place]);
    places.remove_prefix(static_cast<std::size_t>(read.ptr - places.data()));
    if (!places.empty()) places.remove_prefix(1);
  }
  return some;
}

bool is_held_by_json(const PredictedSeries& series) {
  return std::none_of(series.rows.begin(), series.rows.end(), [](const RowPrediction& row) {
    return std::isinf(row.value) || std::isinf(row.tolerance);
  });
}

bool in_one_run(const RowPrediction& a, const RowPrediction& b) {
  return is_same(a.tolerance, b.tolerance) && a.grade == b.grade && b.constants.empty() && b.notes.empty();
}

const Table& table_called(const char* title, const Result& result) {
  const auto at = std::find_if(result.tables.begin(), result.tables.end(),
                               [&](const Table& table) { return table.title == title; });
  if (at == result.tables.end()) throw InputError(fmt::format("there is no table '{}'", title));
  return *at;
}

} // namespace

Result tables_of(const PredictionStore& store) {
  const auto column = [](const char* name, auto cells) {
    return Column{.name = name, .role = Role::note, .cells = std::move(cells)};
  };
  Table series{.title = "series",
               .columns = {column("title", Texts{}), column("gpu", Texts{}), column("key", Texts{}),
                           column("rows", Counts{})}};
  Table runs{.title = "runs",
             .columns = {column("rows", Counts{}), column("tolerance", Numbers{}), column("grade", Texts{}),
                         column("constants", Texts{}), column("notes", Texts{})}};
  Table predicted{.title = "predicted", .columns = {column("predicted", Numbers{})}};
  Result result{.kind = Kind::comparison, .model = "validate", .title = "predictions of validate"};
  for (const PredictedSeries& s : store.series) {
    if (!is_held_by_json(s)) continue;
    append(series.columns[0], s.title);
    append(series.columns[1], s.gpu);
    append(series.columns[2], s.key);
    append(series.columns[3], s.rows.size());
    for (std::size_t row = 0; row < s.rows.size();) {
      const RowPrediction& first = s.rows[row];
      const std::size_t from = row;
      do append(predicted.columns[0], s.rows[row++].value);
      while (row < s.rows.size() && in_one_run(first, s.rows[row]));
      append(runs.columns[0], row - from);
      append(runs.columns[1], first.tolerance);
      append(runs.columns[2], first.grade);
      append(runs.columns[3], places_in(result.constants, first.constants));
      append(runs.columns[4], places_in(result.notes, first.notes));
    }
  }
  result.tables = {std::move(series), std::move(runs), std::move(predicted)};
  return result;
}

PredictionStore store_from(const Result& result) {
  const Table &series = table_called("series", result), &runs = table_called("runs", result);
  const Column &predicted = table_called("predicted", result).at("predicted"), &of_run = runs.at("rows");
  PredictionStore store;
  std::size_t value = 0, run = 0;
  for (std::size_t i = 0; i < series.rows(); ++i) {
    PredictedSeries s{.gpu = series.at("gpu").text(i),
                      .title = series.at("title").text(i),
                      .key = series.at("key").text(i)};
    const double rows = series.at("rows").number(i);
    while (static_cast<double>(s.rows.size()) < rows) {
      if (run == runs.rows()) throw InputError("the runs have fewer rows than the series");
      RowPrediction row{.tolerance = runs.at("tolerance").number(run),
                        .constants = at_places(result.constants, runs.at("constants").text(run)),
                        .notes = at_places(result.notes, runs.at("notes").text(run)),
                        .grade = runs.at("grade").text(run)};
      for (double left = of_run.number(run); left >= 1; --left) {
        if (value == predicted.size()) throw InputError("there are fewer values than rows");
        row.value = predicted.number(value++);
        s.rows.push_back(row);
        row.constants.clear(), row.notes.clear();
      }
      ++run;
    }
    if (static_cast<double>(s.rows.size()) != rows) throw InputError("a run has rows of two series");
    store.series.push_back(std::move(s));
  }
  if (run != runs.rows() || value != predicted.size()) throw InputError("there are more values than rows");
  return store;
}

} // namespace perfmodel::hwdb
