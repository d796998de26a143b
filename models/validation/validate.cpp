#include "validate.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/model.hpp"
#include "models/core/statistics.hpp"
#include "models/validation/judge.hpp"
#include "models/validation/ledger.hpp"
#include "models/validation/row_prediction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace perfmodel {

namespace {

const Model* model_of(const Series& series) {
  for (const Model& m : models())
    if (m.info.name == series.model) return &m;
  return nullptr;
}

// What stands beside the model's own rows, as it was measured.
Table yardstick(const Series& series) {
  Table table{.title = title_of(series)};
  for (const Column& column : series.table.columns)
    if (column.role == Role::key || column.name == series.value) table.columns.push_back(column);
  table.notes.push_back(fmt::format("{}: {}", name_of(series.kind), series.source));
  return table;
}

// The predictions for a series whose card is not named.
std::vector<Card> cards_of(const Gpu& gpu, const Series& series, std::span<const Gpu> others,
                           RowPredictions& own, std::map<std::string, RowPredictions>& predictions) {
  if (series.cards.empty()) return {{.gpu = gpu.name, .predictions = &own, .is_scored = true}};
  std::vector<Card> cards;
  const auto add = [&](const std::vector<std::string>& names, bool is_scored) {
    for (const std::string& name : names) {
      const auto other =
          std::find_if(others.begin(), others.end(), [&](const Gpu& g) { return g.name == name; });
      if (name != gpu.name && other == others.end())
        throw InputError(fmt::format("{}: there is no GPU '{}'", series.place, name));
      RowPredictions& of = name == gpu.name ? own : predictions.try_emplace(name, *other).first->second;
      cards.push_back({.gpu = name, .predictions = &of, .is_scored = is_scored});
    }
  };
  add(series.cards, true);
  add(series.shown, false);
  return cards;
}

// Whether a fact is absent that this probe finds, although it has measured there: then it is hidden, and a
// model may have no such row.
bool is_hidden(const Gpu& gpu, std::string_view probe) {
  const auto keys = all_keys();
  return !probe.empty() && std::any_of(keys.begin(), keys.end(), [&](const KeyInfo& key) {
    return key.probe == probe && gpu.record(key.path) == nullptr;
  });
}

// Whether what a model lacks is a thing that one of our probes would find: then it was hidden, or that probe
// has not run on this GPU.
bool is_for_a_probe(const MissingFact& missing) {
  const KeyInfo* key = find_key(missing.path);
  return key != nullptr && !key->probe.empty();
}

// "312 rows scored, 3 out of tolerance; mean error 4.1 %, of times and rates 6.2 %, worst 18 % (reduction
// time). Out of tolerance: ..."
std::string verdict_of(const Ledger& ledger, const Table& aside) {
  std::vector<double> sizes, of_times;
  std::size_t bounds = 0, out = 0, unscored = 0;
  std::string worst;
  double worst_size = 0;
  for (const auto& [evidence, lines] : ledger.lines)
    for (const auto& [of, line] : lines) {
      bounds += line.at_least;
      out += line.out;
      unscored += line.rows;
      for (const double e : line.errors) {
        sizes.push_back(std::fabs(e));
        if (line.timed) of_times.push_back(sizes.back());
        if (sizes.back() > worst_size) worst_size = sizes.back(), worst = of.first + " " + of.second;
      }
    }
  for (std::size_t row = 0; row < aside.rows(); ++row)
    unscored += static_cast<std::size_t>(aside.at("rows").number(row));
  const double scored = static_cast<double>(sizes.size() + bounds);
  if (scored == 0 && unscored == 0) return "Nothing was scored.";
  if (scored == 0)
    return fmt::format("Nothing was scored: {} are set aside.",
                       in_words(static_cast<double>(unscored), "rows"));
  std::string text = fmt::format("{} scored, {} out of tolerance", in_words(scored, "rows"), out);
  if (!sizes.empty()) text += fmt::format("; mean error {}", in_percent(mean(sizes)));
  if (!of_times.empty() && of_times.size() < sizes.size())
    text += fmt::format(", of times and rates {}", in_percent(mean(of_times)));
  if (!worst.empty()) text += fmt::format(", worst {} ({})", in_percent(worst_size), worst);
  return text + "." + which_are_out(ledger);
}

// Every series judged: the tables of those that are scored, and what is not.
struct Judged {
  Result result;
  Ledger ledger;
  Table aside;
  std::vector<std::string> lacking; // facts
};

Judged judge_all(const Gpu& gpu, std::span<const Series> series, const EvidenceRecord& record,
                 std::span<const Gpu> cards, PredictionStore* store) {
  Judged judged;
  Result& result = judged.result;
  Ledger& ledger = judged.ledger;
  Table& aside = judged.aside;
  std::vector<std::string>& lacking = judged.lacking;
  RowPredictions predictions(gpu);
  std::map<std::string, RowPredictions> of_cards;
  aside.title = std::string(not_scored_title);
  aside.columns = {{.name = "model", .role = Role::note, .cells = std::vector<std::string>{}},
                   {.name = "rows", .role = Role::note, .cells = std::vector<std::int64_t>{}},
                   {.name = "why", .role = Role::note, .cells = std::vector<std::string>{}},
                   {.name = "quantity", .role = Role::note, .cells = std::vector<std::string>{}}};
  for (const Series& s : series) {
    const Model* model = model_of(s);
    const auto set_aside = [&](const char* why, std::size_t rows) {
      if (rows == 0) return;
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
        const std::vector<Card> of = cards_of(gpu, s, cards, predictions, of_cards);
        const Unscored unscored = judge(*model, s, of, record, result, ledger, store);
        set_aside("left out", unscored.left_out);
        set_aside("slip", unscored.slips);
        set_aside("own constants", unscored.own_constants);
      } catch (const MissingFact& missing) {
        if (s.gpu != any_gpu && !is_for_a_probe(missing)) throw;
        set_aside("no facts", s.table.rows());
        if (std::find(lacking.begin(), lacking.end(), missing.path) == lacking.end())
          lacking.push_back(missing.path);
      } catch (const InputError&) {
        if (s.gpu != any_gpu && !is_hidden(gpu, s.probe)) throw;
        set_aside("no facts", s.table.rows());
      }
    }
  }
  return judged;
}

} // namespace

Ledger ledger_of(const Gpu& gpu, std::span<const Series> series, const EvidenceRecord& record,
                 std::span<const Gpu> cards, PredictionStore* store) {
  return judge_all(gpu, series, record, cards, store).ledger;
}

Result summary_of(const Gpu& gpu, std::span<const Series> series, const EvidenceRecord& record,
                  std::span<const Gpu> cards, PredictionStore* store, std::span<const GpuErrors> elsewhere) {
  const Judged judged = judge_all(gpu, series, record, cards, store);
  Result result{.kind = Kind::comparison,
                .model = "validate",
                .title = "predicted against measured on " + gpu.name,
                .verdict = {verdict_of(judged.ledger, judged.aside)}};
  result.tables = tables_of(judged.ledger, gpu.name, elsewhere);
  return result;
}

Result validate(const Gpu& gpu, std::span<const Series> series, const EvidenceRecord& record,
                std::span<const Gpu> cards, PredictionStore* store, std::span<const GpuErrors> elsewhere) {
  auto [result, ledger, aside, lacking] = judge_all(gpu, series, record, cards, store);
  result.kind = Kind::comparison, result.model = "validate";
  result.title = "predicted against measured on " + gpu.name;
  result.verdict.push_back(verdict_of(ledger, aside));
  for (Table& table : tables_of(ledger, gpu.name, elsewhere)) result.tables.push_back(std::move(table));
  if (aside.rows() > 0) {
    aside.notes.push_back(
        "input: facts that predictions use; no model: none has these keys and this quantity; own "
        "constants: predicted from what the same probe found; left out: rows for which the model gives no "
        "value, --explain says why; slip: what the source prints is wrong; no facts: the device's files lack "
        "what the model needs.");
    if (!lacking.empty())
      aside.notes.push_back(fmt::format("{}: no fact {} there.", gpu.name, fmt::join(lacking, ", ")));
    result.tables.push_back(std::move(aside));
  }
  return result;
}

Scores score_of(const Result& validation) {
  Scores scores;
  for (const Table& table : validation.tables) {
    if (table.title != evidence_title) continue;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const auto count = [&](const char* column) {
        return static_cast<std::size_t>(table.at(column).number(row));
      };
      const Score score{.scored = count("scored"), .out = count("out")};
      for (const Evidence e : every_evidence) {
        if (table.at("evidence").text(row) != name_of(e)) continue;
        if (e == Evidence::calibration)
          scores.calibration = count("rows");
        else
          scores.by_class[e] = score;
      }
      scores.scored += score.scored;
      scores.out += score.out;
    }
  }
  return scores;
}

} // namespace perfmodel
