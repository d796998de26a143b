#include "judge.hpp"

#include "model_error.hpp"
#include "row_evidence.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace perfmodel {

namespace {

Column without_cells(const Column& column) {
  Column empty = column;
  std::visit([](auto& cells) { cells.clear(); }, empty.cells);
  return empty;
}

Table empty_table(const Series& series, const Column& measured) {
  Table table{.title = title_of(series)};
  if (!series.cards.empty())
    table.columns.push_back({.name = "gpu", .role = Role::key, .cells = std::vector<std::string>{}});
  for (const Column& column : series.table.columns)
    if (column.role == Role::key) table.columns.push_back(without_cells(column));
  const auto add = [&](const char* name, const Unit& unit, Role role) {
    table.columns.push_back({.name = name, .unit = unit, .role = role, .cells = std::vector<double>{}});
  };
  add("predicted", measured.unit, Role::predicted);
  add("measured", measured.unit, Role::measured);
  add("error", {"fraction", {}}, Role::note);
  add("tolerance", {"fraction", {}}, Role::note);
  for (const char* name : {"verdict", "evidence", "grade"})
    table.columns.push_back({.name = name, .role = Role::note, .cells = std::vector<std::string>{}});
  return table;
}

// What a prediction comes to against the reading that is worst for it.
struct Comparison {
  RowPrediction prediction;
  std::string gpu;
  std::size_t row = 0; // of the series
  double measured = absent, error = absent;
  Evidence evidence = Evidence::blind;
  bool out = false, left_out = false;
};

double size_of(double error) {
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : std::fabs(error);
}

Comparison compared_with(const Series& series, std::size_t row, const RowMarks& marks,
                         RowPrediction prediction) {
  Comparison c{.prediction = std::move(prediction)};
  const double predicted = c.prediction.value;
  std::vector<double> readings = marks.readings;
  readings.insert(readings.begin(), series.table.at(series.value).number(row));
  for (const double reading : readings) {
    const double error = predicted == reading ? 0 : (predicted - reading) / reading; // a count may be 0
    const bool is_worse = series.at_least ? reading > c.measured : size_of(error) > size_of(c.error);
    if (std::isnan(c.measured) || is_worse) c.measured = reading, c.error = error;
  }
  c.left_out = series.kind == Kind::measured && std::isnan(predicted);
  c.out = series.at_least ? !(predicted >= c.measured) : !(std::fabs(c.error) <= c.prediction.tolerance);
  return c;
}

// Judges the rows of one series for the ledger.
class Judge {
public:
  Judge(const EvidenceRecord& record, Result& result, Ledger& ledger, PredictionStore* store)
      : record_(record), result_(result), ledger_(ledger), store_(store), constants_(result.constants) {}

  // Shows nothing of a series without a row that is scored, nor one that fixed a constant.
  Unscored judge(const Model& model, const Series& series, std::span<const Card> cards) {
    Table table = empty_table(series, series.table.at(series.value));
    table.notes.push_back(fmt::format("{}: {}", name_of(series.kind), series.source));
    Unscored unscored;
    std::size_t circular = 0;
    std::vector<Comparison> judged; // none counts where a later row has no answer
    SeriesPredictions predictions(model, series, cards, record_, store_);
    for (std::size_t row = 0; row < series.table.rows(); ++row) {
      const RowMarks marks = marks_of(series, row, record_);
      std::vector<Comparison> all;
      for (RowPrediction& prediction : predictions.of(row))
        all.push_back(compare(series, row, cards[all.size()].gpu, marks, std::move(prediction), table));
      std::size_t worst = 0;
      for (std::size_t i = 1; i < all.size(); ++i)
        if (cards[i].is_scored && size_of(all[i].error) > size_of(all[worst].error)) worst = i;
      const Comparison& scored = all[worst];
      if (scored.left_out)
        ++unscored.left_out;
      else if (!marks.slip.empty())
        ++unscored.slips;
      else
        judged.push_back(scored);
      circular += !scored.left_out && !series.probe.empty() && scored.evidence == Evidence::calibration;
      for (std::size_t i = 0; i < all.size(); ++i)
        append_row(table, series, row, cards[i].gpu, all[i],
                   i == worst ? verdict_of(series, marks, all[i]) : "shown");
      add_notes(table, marks);
    }
    for (const Comparison& c : judged) enter(series, c);
    predictions.keep();
    if (!series.cards.empty())
      note(table, fmt::format("The source does not name the card: of {} the worse prediction is scored.",
                              fmt::join(series.cards, " and ")));
    if (circular + unscored.left_out == series.table.rows()) {
      unscored.own_constants = circular;
      return unscored;
    }
    result_.constants = std::move(constants_);
    result_.tables.push_back(std::move(table));
    return unscored;
  }

private:
  const EvidenceRecord& record_;
  Result& result_;
  Ledger& ledger_;
  PredictionStore* store_;
  std::vector<Step> constants_;

  Comparison compare(const Series& series, std::size_t row, const std::string& gpu, const RowMarks& marks,
                     RowPrediction prediction, Table& table) {
    Comparison c = compared_with(series, row, marks, std::move(prediction));
    c.gpu = gpu, c.row = row;
    c.evidence = evidence_of(series, marks, c.prediction, record_);
    for (const Step& constant : c.prediction.constants) add_constant(constants_, constant);
    for (const std::string& sentence : c.prediction.notes) note(table, sentence);
    return c;
  }

  void enter(const Series& series, const Comparison& c) {
    Ledger::Line& line = ledger_.lines[c.evidence][{series.model, series.value}];
    line.timed = is_timed(series.table.at(series.value).unit);
    if (c.evidence == Evidence::calibration) {
      ++line.rows;
      return;
    }
    line.out += c.out ? 1 : 0;
    if (series.at_least) {
      ++line.at_least;
      return;
    }
    line.errors.push_back(c.error);
    line.scored.push_back({.series = &series, .row = c.row, .gpu = c.gpu, .measured = c.measured});
    line.on_estimates.push_back(!c.prediction.grade.empty() && c.prediction.grade != name_of(Grade::known));
    line.tolerance = std::max(line.tolerance, c.prediction.tolerance);
  }

  static std::string verdict_of(const Series& series, const RowMarks& marks, const Comparison& c) {
    if (c.left_out) return "left out";
    if (!marks.slip.empty()) return "slip";
    if (c.evidence == Evidence::calibration) return "calibration";
    if (c.out) return "OUT";
    return series.at_least ? "ok (at least)" : "ok";
  }

  static void append_row(Table& table, const Series& series, std::size_t row, const std::string& gpu,
                         const Comparison& c, const std::string& verdict) {
    for (Column& column : table.columns) {
      const Column* key = series.table.find(column.name);
      if (column.name == "predicted")
        append(column, c.prediction.value);
      else if (column.name == "measured")
        append(column, c.measured);
      else if (column.name == "error")
        append(column, c.error);
      else if (column.name == "tolerance")
        append(column, c.prediction.tolerance);
      else if (column.name == "verdict")
        append(column, verdict);
      else if (column.name == "evidence")
        append(column, std::string(name_of(c.evidence)));
      else if (column.name == "grade")
        append(column, c.prediction.grade);
      else if (column.name == "gpu" && !series.cards.empty())
        append(column, gpu);
      else
        std::visit(
            [&](auto& cells) {
              cells.push_back(std::get<std::remove_reference_t<decltype(cells)>>(key->cells)[row]);
            },
            column.cells);
    }
  }

  static void note(Table& table, const std::string& sentence) {
    if (std::find(table.notes.begin(), table.notes.end(), sentence) == table.notes.end())
      table.notes.push_back(sentence);
  }

  static void add_notes(Table& table, const RowMarks& marks) {
    if (!marks.readings.empty())
      note(table, "A label that can be read in several ways is held against the reading that is worst for "
                  "the prediction.");
    if (!marks.slip.empty()) note(table, "A slip of the source, not scored: " + marks.slip);
  }
};

} // namespace

Unscored judge(const Model& model, const Series& series, std::span<const Card> cards,
               const EvidenceRecord& record, Result& result, Ledger& ledger, PredictionStore* store) {
  return Judge(record, result, ledger, store).judge(model, series, cards);
}

} // namespace perfmodel
