#include "measured.hpp"

#include "result_file.hpp"
#include "text_file.hpp"

#include "models/core/error.hpp"

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
  if (const std::string clock = property(m.conditions, "sm_clock"); !clock.empty()) text += ", SM clock " + clock;
  return text;
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
  std::vector<Series> all;
  for (const Measurement& m : run.measurements) {
    if (!usable(m) || m.model.empty()) continue;
    const auto value = std::find_if(m.table.columns.begin(), m.table.columns.end(),
                                    [](const Column& c) { return c.role == Role::measured; });
    if (value == m.table.columns.end()) throw InputError(fmt::format("{}: the probe {} measured nothing", place, m.probe));
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
      sentences.push_back(fmt::format("left out: {}: {}", m.probe, m.invalid.empty() ? "its answer was not checked" : m.invalid));
  return sentences;
}

} // namespace perfmodel::hwdb
