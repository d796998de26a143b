#include "validate.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"
#include "models/core/statistics.hpp"
#include "models/validation/row_prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace perfmodel {

namespace {

constexpr const char* ledger_title = "ledger";

const Model* model_of(const Series& series) {
  for (const Model& m : models())
    if (m.info.name == series.model) return &m;
  return nullptr;
}

struct Ledger {
  struct Line {
    std::vector<double> errors;
    std::size_t out = 0, at_least = 0, circular = 0, calibrated = 0;
    double tolerance = 0;
  };
  std::map<std::pair<std::string, std::string>, Line> lines; // by model and quantity
};

Table empty_table(const Series& series, const Column& measured) {
  Table table{.title = fmt::format("{} {}: {}", series.model, series.value, series.quantity)};
  for (const Column& column : series.table.columns)
    if (column.role == Role::key) table.columns.push_back(column);
  const auto add = [&](const char* name, const Unit& unit, Role role) {
    table.columns.push_back({.name = name, .unit = unit, .role = role, .cells = std::vector<double>{}});
  };
  add("predicted", measured.unit, Role::predicted);
  add("measured", measured.unit, Role::measured);
  add("error", {"fraction", {}}, Role::note);
  add("tolerance", {"fraction", {}}, Role::note);
  table.columns.push_back({.name = "verdict", .role = Role::note, .cells = std::vector<std::string>{}});
  return table;
}

// What stands beside the model's own rows, as it was measured.
Table yardstick(const Series& series) {
  Table table{.title = fmt::format("{} {}: {}", series.model, series.value, series.quantity)};
  for (const Column& column : series.table.columns)
    if (column.role == Role::key || column.name == series.value) table.columns.push_back(column);
  table.notes.push_back(fmt::format("{}: {}", name_of(series.kind), series.source));
  return table;
}

struct Unscored {
  std::size_t circular = 0, left_out = 0; // rows
};

// Shows nothing of a series without a row that is scored, nor one that fixed a constant.
Unscored judge(const Model& model, RowPredictions& predictions, const Series& series, Result& result,
               Ledger& ledger) {
  const Column& measured = series.table.at(series.value);
  Table table = empty_table(series, measured);
  table.notes.push_back(fmt::format("{}: {}", name_of(series.kind), series.source));
  const auto known = ledger.lines.find({series.model, series.value});
  Ledger::Line line = known == ledger.lines.end() ? Ledger::Line{} : known->second;
  Unscored unscored;
  std::vector<Step> constants = result.constants; // named so far
  for (std::size_t row = 0; row < series.table.rows(); ++row) {
    const RowPrediction p = predictions.of(model, series, row, constants);
    const double tolerance = p.tolerance;
    const double value = measured.number(row);
    const double error = p.value == value ? 0 : (p.value - value) / value; // a count may be 0
    const bool circular =
        !series.probe.empty() && std::any_of(p.constants.begin(), p.constants.end(),
                                             [&](const Step& c) { return c.probe == series.probe; });
    for (const Step& c : p.constants) {
      const auto same = [&](const Step& k) { return k.symbol == c.symbol && k.place == c.place; };
      if (std::none_of(constants.begin(), constants.end(), same)) constants.push_back(c);
    }
    for (const std::string& note : p.notes)
      if (std::find(table.notes.begin(), table.notes.end(), note) == table.notes.end())
        table.notes.push_back(note);
    const bool calibrates = row < series.calibrates.size() && series.calibrates[row];
    const bool left_out = series.kind == Kind::measured && std::isnan(p.value);
    const bool out = series.at_least ? !(p.value >= value) : !(std::fabs(error) <= tolerance);
    if (left_out)
      ++unscored.left_out;
    else if (circular)
      ++unscored.circular, ++line.circular;
    else if (calibrates)
      ++line.calibrated;
    else if (series.at_least)
      ++line.at_least, line.out += out ? 1 : 0;
    else {
      line.errors.push_back(error);
      line.out += out ? 1 : 0;
      line.tolerance = std::max(line.tolerance, tolerance);
    }
    for (Column& column : table.columns) {
      if (column.name == "predicted")
        append(column, p.value);
      else if (column.name == "measured")
        append(column, value);
      else if (column.name == "error")
        append(column, error);
      else if (column.name == "tolerance")
        append(column, tolerance);
      else if (column.name == "verdict")
        append(column, std::string(left_out          ? "left out"
                                   : circular        ? "circular"
                                   : calibrates      ? "calibration"
                                   : out             ? "OUT"
                                   : series.at_least ? "ok (at least)"
                                                     : "ok"));
    }
  }
  if (unscored.circular + unscored.left_out == series.table.rows()) {
    if (unscored.circular > 0) ledger.lines[{series.model, series.value}].circular = line.circular;
    return unscored;
  }
  ledger.lines[{series.model, series.value}] = std::move(line);
  result.constants = std::move(constants);
  result.tables.push_back(std::move(table));
  return unscored;
}

Table ledger_table(const Ledger& ledger) {
  Table table{.title = ledger_title};
  const auto add = [&](const char* name, const char* unit, Role role, auto cells) {
    table.columns.push_back({.name = name, .unit = {unit, {}}, .role = role, .cells = std::move(cells)});
  };
  add("model", "", Role::key, std::vector<std::string>{});
  add("quantity", "", Role::key, std::vector<std::string>{});
  for (const char* count : {"scored", "at_least", "out", "circular", "fitted"})
    add(count, "", Role::note, std::vector<std::int64_t>{});
  for (const char* size : {"mean_error", "worst_error", "tolerance"})
    add(size, "fraction", Role::note, std::vector<double>{});
  for (const auto& [of, line] : ledger.lines) {
    std::vector<double> sizes;
    for (const double e : line.errors) sizes.push_back(std::fabs(e));
    append(table.columns[0], of.first);
    append(table.columns[1], of.second);
    append(table.columns[2], line.errors.size());
    append(table.columns[3], line.at_least);
    append(table.columns[4], line.out);
    append(table.columns[5], line.circular);
    append(table.columns[6], line.calibrated);
    append(table.columns[7], mean(sizes));
    append(table.columns[8], largest_magnitude(sizes));
    append(table.columns[9], sizes.empty() ? absent : line.tolerance);
  }
  return table;
}

} // namespace

Result validate(const Gpu& gpu, std::span<const Series> series) {
  Result result{
      .kind = Kind::comparison, .model = "validate", .title = "predicted against measured on " + gpu.name};
  Ledger ledger;
  RowPredictions predictions(gpu);
  Table aside{.title = std::string(not_scored_title)};
  aside.columns = {{.name = "model", .role = Role::note, .cells = std::vector<std::string>{}},
                   {.name = "rows", .role = Role::note, .cells = std::vector<std::int64_t>{}},
                   {.name = "why", .role = Role::note, .cells = std::vector<std::string>{}},
                   {.name = "quantity", .role = Role::note, .cells = std::vector<std::string>{}}};
  for (const Series& s : series) {
    const Model* model = model_of(s);
    const auto set_aside = [&](const char* why, std::size_t rows) {
      append(aside.columns[0], s.model);
      append(aside.columns[1], rows);
      append(aside.columns[2], std::string(why));
      append(aside.columns[3], s.quantity);
    };
    if (s.is_input) {
      set_aside("input", s.table.rows());
    } else if (model == nullptr || !covers(*model, s)) {
      set_aside("no model", s.table.rows());
    } else if (is_yardstick(*model, s)) {
      result.tables.push_back(yardstick(s));
    } else {
      try {
        const Unscored unscored = judge(*model, predictions, s, result, ledger);
        if (unscored.left_out > 0) set_aside("left out", unscored.left_out);
        if (unscored.circular + unscored.left_out == s.table.rows() && unscored.circular > 0)
          set_aside("own constants", unscored.circular);
      } catch (const InputError&) {
        if (s.gpu != any_gpu) throw;
        set_aside("no facts", s.table.rows());
      }
    }
  }
  if (!ledger.lines.empty()) result.tables.push_back(ledger_table(ledger));
  if (aside.rows() > 0) {
    aside.notes.push_back(
        "input: facts that predictions use; no model: none has these keys and this quantity; own "
        "constants: predicted from what the same probe found; left out: rows for which the model gives no "
        "value, --explain says why; no facts: the device's files lack what the model needs.");
    result.tables.push_back(std::move(aside));
  }
  return result;
}

Score score_of(const Result& validation) {
  Score score;
  for (const Table& table : validation.tables) {
    if (table.title != ledger_title) continue;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      score.scored +=
          static_cast<std::size_t>(table.at("scored").number(row) + table.at("at_least").number(row));
      score.out += static_cast<std::size_t>(table.at("out").number(row));
    }
  }
  return score;
}

} // namespace perfmodel
