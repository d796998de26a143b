#include "measured.hpp"

#include "result_file.hpp"
#include "text_file.hpp"

#include "models/bounds/peak.hpp"
#include "models/core/error.hpp"
#include "models/core/model.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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
  if (const std::string counters = property(run.environment, "counters"); !counters.empty())
    text += ", counted with " + counters;
  return text;
}

// The clock the GPU ran at in the row that a constant was taken from: the one that measured its value.
double clock_of_row(const Measurement& m, const Constant& constant, std::string_view measured) {
  const Column *clocks = m.table.find("sm_clock"), *values = m.table.find(measured);
  double clock = absent, least = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; clocks != nullptr && values != nullptr && row < clocks->size(); ++row) {
    const double distance = std::fabs(values->number(row) - constant.value);
    if (distance < least) least = distance, clock = clocks->number(row);
  }
  return clock;
}

Series empty_peaks(const Record& run, const Measurement& m, const std::string& place,
                   const std::string& clock) {
  Series series{.gpu = run.gpu, .model = "roofline", .kind = Kind::measured, .source = provenance(run, m)};
  series.quantity = "peak rate at the clock observed in the same run";
  series.place = place;
  series.probe = m.probe;
  series.value = "rate";
  for (const char* name : {"precision", "ceiling", "basis"})
    series.table.columns.push_back({.name = name, .role = Role::key, .cells = std::vector<std::string>{}});
  series.table.columns.push_back({.name = clock, .unit = unit_of<Hertz>(), .role = Role::key});
  series.table.columns.push_back({.name = "rate", .unit = unit_of<FlopsPerSecond>(), .role = Role::measured});
  return series;
}

// The clock that the SMs had in each row, where the model predicts it: what a power cap leaves is an
// estimate.
void add_clocks(const Record& run, const Measurement& m, const std::string& place, std::vector<Series>& all) {
  constexpr double of_an_estimate = 0.25;
  const auto of = std::find_if(models().begin(), models().end(),
                               [&](const Model& model) { return model.info.name == m.model; });
  if (of == models().end() || of->find("at-clock") == nullptr || m.table.find("sm_clock") == nullptr) return;
  Series series{.gpu = run.gpu,
                .model = m.model,
                .kind = Kind::measured,
                .source = provenance(run, m),
                .quantity = "SM clock, the median of what NVML read",
                .place = place,
                .probe = m.probe,
                .value = "clock",
                .tolerance = of_an_estimate};
  for (Column column : m.table.columns) {
    if (column.name == "sm_clock")
      column.name = "clock", column.role = Role::measured;
    else if (column.role != Role::key)
      continue;
    series.table.columns.push_back(std::move(column));
  }
  all.push_back(std::move(series));
}

} // namespace

Record run_from(const std::string& text, const std::filesystem::path& file) {
  Record run = record_from_json(text, file.string());
  if (run.measurements.empty()) throw InputError(file.string() + " holds no measurements");
  return run;
}

Record read_run(const std::filesystem::path& file) {
  return run_from(read_text(file, most_result_bytes), file);
}

std::vector<Constant> constants_of(const Record& run, const std::string& place) {
  std::vector<Constant> all;
  for (const Measurement& m : run.measurements) {
    if (!usable(m)) continue;
    for (Constant c : m.constants) {
      c.source = provenance(run, m);
      if (const std::string clock = property(m.conditions, "sm_clock"); !clock.empty())
        c.source += ", SM clock " + clock;
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
    const auto is_measured = [](const Column& c) { return c.role == Role::measured; };
    if (std::none_of(m.table.columns.begin(), m.table.columns.end(), is_measured))
      throw InputError(fmt::format("{}: the probe {} measured nothing", place, m.probe));
    for (const Column& value : m.table.columns) {
      if (!is_measured(value)) continue;
      Series series{.gpu = run.gpu,
                    .model = m.model,
                    .kind = Kind::measured,
                    .source = provenance(run, m),
                    .quantity = m.measures,
                    .place = place,
                    .probe = m.probe,
                    .value = value.name,
                    .table = m.table};
      // The percentiles are the first's, where several quantities were measured.
      const bool is_first =
          &value == &*std::find_if(m.table.columns.begin(), m.table.columns.end(), is_measured);
      std::erase_if(series.table.columns, [&](const Column& c) {
        return is_measured(c) ? c.name != value.name
                              : !is_first && (c.role == Role::low || c.role == Role::high);
      });
      all.push_back(std::move(series));
    }
    add_clocks(run, m, place, all);
  }
  return all;
}

std::vector<Series> peaks_of(const Record& run, const std::string& place, const Gpu& gpu) {
  std::vector<Series> all;
  for (const Measurement& m : run.measurements)
    for (const Constant& c : m.constants)
      for (const ArithmeticUnit& unit : arithmetic_units()) {
        const double clock = usable(m) ? clock_of_row(m, c, "rate") : absent;
        if (unit.sustained.path != c.path || std::isnan(clock)) continue;
        const std::string clock_name(clock_of(gpu, unit).path);
        auto series = std::find_if(all.begin(), all.end(), [&](const Series& s) {
          return s.probe == m.probe && s.table.find(clock_name) != nullptr;
        });
        if (series == all.end()) series = all.insert(all.end(), empty_peaks(run, m, place, clock_name));
        std::vector<Column>& columns = series->table.columns;
        append(columns[0], std::string(names(unit.precision)[static_cast<std::size_t>(unit.precision)]));
        append(columns[1], std::string(unit.name));
        append(columns[2], std::string("spec"));
        append(columns[3], clock);
        append(columns[4], c.value);
      }
  return all;
}

std::vector<std::string> left_out(const Record& run, std::string_view model) {
  std::vector<std::string> sentences;
  for (const Measurement& m : run.measurements)
    if (!usable(m) && (model.empty() || m.model == model))
      sentences.push_back(fmt::format("left out: {}: {}", m.probe,
                                      m.invalid.empty() ? "its answer was not checked" : m.invalid));
  return sentences;
}

} // namespace perfmodel::hwdb
