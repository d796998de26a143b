#include "measured.hpp"

#include "result_file.hpp"
#include "text_file.hpp"

#include "models/bounds/peak.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::hwdb {

namespace {

bool usable(const Measurement& m) { return m.verified && m.invalid.empty(); }

std::string property(const Properties& properties, std::string_view key) {
  for (const auto& [name, value] : properties)
    if (name == key) return value;
  return "";
}

std::string provenance(const Record& run, const Measurement& m) {
  std::string text = fmt::format("our probe {} on {}", m.probe, property(run.device, "name"));
  if (!run.date.empty()) text += ", " + run.date.substr(0, 10);
  if (const std::string clock = property(m.conditions, "sm_clock"); !clock.empty())
    text += ", SM clock " + clock;
  return text;
}

// What the arithmetic probes reached, against SMs x lanes x operations x the clock the GPU ran at meanwhile.
std::vector<Series> peaks_of(const Record& run, const std::string& place) {
  std::vector<Series> all;
  for (const Measurement& m : run.measurements) {
    const Column* clocks = m.table.find("sm_clock");
    if (!usable(m) || clocks == nullptr) continue;
    for (const Constant& c : m.constants)
      for (const ArithmeticUnit& unit : arithmetic_units()) {
        if (unit.sustained.path != c.path) continue;
        Series series{
            .gpu = run.gpu, .model = "roofline", .kind = Kind::measured, .source = provenance(run, m)};
        series.quantity = "peak rate at the observed clock";
        series.place = place;
        series.probe = m.probe;
        series.value = "rate";
        const std::string_view precision = names(unit.precision)[static_cast<std::size_t>(unit.precision)];
        const Column* of = m.table.find("precision");
        std::vector<double> seen;
        for (std::size_t row = 0; row < clocks->size(); ++row)
          if (of == nullptr || of->text(row) == precision) seen.push_back(clocks->number(row));
        if (seen.empty()) continue;
        series.facts = {{"clock", format_exact(median(seen)) + " Hz"}};
        const auto key = [&](const char* name, std::string_view text) {
          series.table.columns.push_back(
              {.name = name, .role = Role::key, .cells = std::vector<std::string>{std::string(text)}});
        };
        key("precision", precision);
        key("ceiling", unit.name);
        key("basis", "spec");
        series.table.columns.push_back({.name = "rate",
                                        .unit = unit_of<FlopsPerSecond>(),
                                        .role = Role::measured,
                                        .cells = std::vector<double>{c.value}});
        all.push_back(std::move(series));
      }
  }
  return all;
}

} // namespace

Record read_run(const std::filesystem::path& file) {
  Record run = record_from_json(read_text(file, most_result_bytes), file.string());
  if (run.measurements.empty()) throw InputError(file.string() + " holds no measurements");
  return run;
}

std::vector<Constant> constants_of(const Record& run, const std::string& place) {
  std::vector<Constant> all;
  for (const Measurement& m : run.measurements) {
    if (!usable(m)) continue;
    for (Constant c : m.constants) {
      c.source = provenance(run, m);
      c.place = place;
      all.push_back(std::move(c));
    }
  }
  return all;
}

std::vector<Series> series_of(const Record& run, const std::string& place) {
  std::vector<Series> all = peaks_of(run, place);
  for (const Measurement& m : run.measurements) {
    if (!usable(m) || m.model.empty()) continue;
    const auto value = std::find_if(m.table.columns.begin(), m.table.columns.end(),
                                    [](const Column& c) { return c.role == Role::measured; });
    if (value == m.table.columns.end())
      throw InputError(fmt::format("{}: the probe {} measured nothing", place, m.probe));
    all.push_back({.gpu = run.gpu,
                   .model = m.model,
                   .kind = Kind::measured,
                   .source = provenance(run, m),
                   .quantity = m.measures,
                   .place = place,
                   .probe = m.probe,
                   .value = value->name,
                   .table = m.table});
  }
  return all;
}

std::vector<std::string> left_out(const Record& run) {
  std::vector<std::string> sentences;
  for (const Measurement& m : run.measurements)
    if (!usable(m))
      sentences.push_back(fmt::format("left out: {}: {}", m.probe,
                                      m.invalid.empty() ? "its answer was not checked" : m.invalid));
  return sentences;
}

} // namespace perfmodel::hwdb
