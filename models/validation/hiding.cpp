#include "hiding.hpp"

#include "models/core/fact_readers.hpp"
#include "models/core/in_words.hpp"
#include "models/core/statistics.hpp"
#include "models/validation/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace perfmodel {

namespace {

constexpr double much_worse = 0.1;

// "occupancy, matmul": the names of models.
bool is_among(std::string_view names, std::string_view name) {
  while (!names.empty()) {
    const std::size_t end = names.find(", ");
    if (names.substr(0, end) == name) return true;
    names = end == std::string_view::npos ? "" : names.substr(end + 2);
  }
  return false;
}

std::vector<Series> read_by_models_of(std::string_view probe, std::span<const Series> series) {
  std::vector<Series> some;
  for (const Series& s : series)
    if (std::any_of(all_keys().begin(), all_keys().end(), [&](const KeyInfo& key) {
          return key.probe == probe && is_among(readers_of(key), s.model);
        }))
      some.push_back(s);
  return some;
}

// Of all classes of evidence that are scored.
std::map<Ledger::OfModel, Ledger::Line> families_of(const Ledger& ledger) {
  std::map<Ledger::OfModel, Ledger::Line> families;
  for (const auto& [evidence, lines] : ledger.lines)
    for (const auto& [of, line] : lines) {
      Ledger::Line& family = families[of];
      for (const double e : line.errors) family.errors.push_back(std::fabs(e));
      family.on_estimates.insert(family.on_estimates.end(), line.on_estimates.begin(),
                                 line.on_estimates.end());
    }
  return families;
}

struct Worse {
  std::string probe;
  Ledger::OfModel family;
  std::size_t rows = 0, lost = 0, on_estimates = 0, silent = 0;
  double with = absent, without = absent;
  double rise() const { return without - with; }
};

Worse compared(std::string probe, const Ledger::OfModel& family, const Ledger::Line& with,
               const Ledger::Line& without) {
  Worse w{.probe = std::move(probe), .family = family, .rows = without.errors.size()};
  w.lost = with.errors.size() - std::min(with.errors.size(), without.errors.size());
  w.with = mean(with.errors), w.without = mean(without.errors);
  for (std::size_t i = 0; i < without.errors.size(); ++i) {
    w.on_estimates += without.on_estimates[i];
    // Rows keep their places as long as none is lost.
    if (w.lost == 0 && !without.on_estimates[i] && without.errors[i] > with.errors[i] + much_worse)
      ++w.silent;
  }
  return w;
}

Table table_of_worse(const std::vector<Worse>& all) {
  Table table{.title = "families of the ledger without one probe"};
  const auto add = [&](const char* name, const char* unit, Role role, decltype(Column::cells) cells) {
    table.columns.push_back({.name = name, .unit = {unit, {}}, .role = role, .cells = std::move(cells)});
  };
  for (const char* name : {"probe", "model", "quantity"})
    add(name, "", Role::key, std::vector<std::string>{});
  for (const char* name : {"rows", "lost", "on_estimates", "silent"})
    add(name, "", Role::note, std::vector<std::int64_t>{});
  for (const char* name : {"mean_error", "without", "rise"})
    add(name, "fraction", Role::note, std::vector<double>{});
  for (const Worse& w : all) {
    std::size_t c = 0;
    for (const std::string& name : {w.probe, w.family.first, w.family.second})
      append(table.columns[c++], name);
    for (const std::size_t count : {w.rows, w.lost, w.on_estimates, w.silent})
      append(table.columns[c++], count);
    for (const double number : {w.with, w.without, w.rise()}) append(table.columns[c++], number);
  }
  return table;
}

std::string worth_in_words(const std::vector<Worse>& all, std::size_t probes) {
  const Worse* worst = nullptr;
  std::size_t silent = 0;
  for (const Worse& w : all) {
    silent += w.silent;
    if (std::isfinite(w.rise()) && (worst == nullptr || w.rise() > worst->rise())) worst = &w;
  }
  if (worst == nullptr)
    return fmt::format("Nothing that {} found is read by a model that is scored here.",
                       in_words(static_cast<double>(probes), "probes"));
  return fmt::format(
      "Without one of {} a family's mean error rises by at most {:.1f} points ({} {} without {}); "
      "{} much worse and not graded as an estimate.",
      in_words(static_cast<double>(probes), "probes"), 100 * worst->rise(), worst->family.first,
      worst->family.second, worst->probe, silent == 1 ? "1 row is" : fmt::format("{} rows are", silent));
}

} // namespace

std::vector<std::string> probes_that_found(const Gpu& gpu) {
  std::set<std::string> probes;
  for (const KeyInfo& key : all_keys())
    if (const FactRecord* record = gpu.record(key.path);
        !key.probe.empty() && record != nullptr && (!record->probe.empty() || !key.scale.empty()))
      probes.emplace(key.probe);
  return {probes.begin(), probes.end()};
}

Result worth_of_probes(const Gpu& gpu, std::span<const std::string> probes,
                       const std::function<Gpu(const std::string& probe)>& without,
                       std::span<const Series> series, const EvidenceRecord& record,
                       std::span<const Gpu> cards) {
  const auto before = families_of(ledger_of(gpu, series, record, cards));
  std::vector<Worse> all;
  for (const std::string& probe : probes) {
    const std::vector<Series> some = read_by_models_of(probe, series);
    if (some.empty()) continue;
    auto after = families_of(ledger_of(without(probe), some, record, cards));
    for (const auto& family : before)
      if (std::any_of(some.begin(), some.end(),
                      [&](const Series& s) { return s.model == family.first.first; }))
        all.push_back(compared(probe, family.first, family.second, after[family.first]));
  }
  std::stable_sort(all.begin(), all.end(), [](const Worse& a, const Worse& b) {
    return (std::isnan(a.rise()) ? -1 : a.rise()) > (std::isnan(b.rise()) ? -1 : b.rise());
  });
  Result result{
      .kind = Kind::comparison, .model = "validate", .title = "what each probe is worth on " + gpu.name};
  result.verdict.push_back(worth_in_words(all, probes.size()));
  result.tables.push_back(table_of_worse(all));
  result.tables.back().notes.push_back(
      "on_estimates: rows whose grade says that they rest on an estimate; silent: rows that are off by ten "
      "points more than before, graded as known; lost: rows that cannot be predicted without the probe.");
  return result;
}

std::size_t silent_rows(const Result& worth) {
  std::size_t silent = 0;
  const Table& table = worth.tables.front();
  for (std::size_t row = 0; row < table.rows(); ++row)
    silent += static_cast<std::size_t>(table.at("silent").number(row));
  return silent;
}

} // namespace perfmodel
