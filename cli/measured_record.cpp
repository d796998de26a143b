#include "measured_record.hpp"

#include "models/core/fact.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

namespace perfmodel::cli {

namespace {

std::string clock_text(const std::optional<double>& clock) {
  return clock ? format_quantity(*clock, unit_of<Hertz>(), Prefix::si, 5) : "";
}

void add(Properties& properties, const char* key, std::string value) {
  if (!value.empty()) properties.emplace_back(key, std::move(value));
}

// "sm_clock" and the rest as one probe's last kernel saw them.
Properties conditions_of(const kernels::Environment& e) {
  Properties all;
  const auto state = [&](const kernels::DeviceState& s, const std::string& when) {
    add(all, ("sm_clock" + when).c_str(), clock_text(s.sm_clock));
    add(all, ("memory_clock" + when).c_str(), clock_text(s.memory_clock));
    add(all, ("power" + when).c_str(), s.power ? format_quantity(*s.power, unit_of<Watts>()) : "");
    add(all, ("temperature" + when).c_str(), s.temperature ? fmt::format("{:.0f} C", *s.temperature) : "");
    add(all, ("throttled" + when).c_str(), fmt::format("{}", fmt::join(s.throttle_reasons, " ")));
  };
  state(e.under_load, "");
  state(e.before, "_before");
  return all;
}

} // namespace

Measurement measurement_of(kernels::ProbeResult result) {
  Measurement m{.probe = std::move(result.probe),
                .model = std::move(result.model),
                .measures = std::move(result.measures)};
  m.table = std::move(result.table);
  for (std::string& note : result.notes) m.table.notes.push_back(std::move(note));
  m.constants = std::move(result.constants);
  m.verified = result.verified;
  m.invalid = std::move(result.invalid);
  m.conditions = conditions_of(result.environment);
  for (kernels::RawSamples& s : result.samples)
    m.samples.push_back({std::move(s.name), s.unit, std::move(s.values), std::move(s.sm_clock)});
  return m;
}

std::string verdict_of(const Record& run) {
  std::size_t facts = 0, rows = 0;
  std::string unusable, unchecked;
  for (const Measurement& m : run.measurements) {
    facts += m.constants.size();
    rows += m.table.rows();
    std::string* const names = !m.invalid.empty() ? &unusable : m.verified ? nullptr : &unchecked;
    if (names != nullptr) *names += (names->empty() ? "" : ", ") + m.probe;
  }
  const auto count = [](std::size_t n, const char* things) {
    return format_quantity(static_cast<double>(n), {things, {}});
  };
  std::string text = fmt::format("{} ran on {} and found {} and {}", count(run.measurements.size(), "probes"),
                                 run.device.empty() ? run.gpu : run.device.front().second,
                                 count(facts, "facts"), count(rows, "rows"));
  if (!unusable.empty()) text += fmt::format("; not to be used: {}", unusable);
  if (!unchecked.empty()) text += fmt::format("; not checked: {}", unchecked);
  return text + ".";
}

Result summary_of(const Record& run) {
  Table table{.title = "measured on " + (run.device.empty() ? run.gpu : run.device.front().second)};
  for (const char* name : {"probe", "fact", "median", "p5", "p95", "remark"})
    table.columns.push_back({.name = name, .role = Role::note, .cells = std::vector<std::string>{}});
  for (const Measurement& m : run.measurements) {
    const std::string remark = !m.invalid.empty() ? "INVALID: " + m.invalid
                               : m.verified       ? ""
                                                  : "its answer was not checked";
    const auto row = [&](const std::string& fact, const std::string& median, const std::string& low,
                         const std::string& high) {
      const std::string cells[] = {m.probe, fact, median, low, high, remark};
      for (std::size_t c = 0; c < 6; ++c) append(table.columns[c], cells[c]);
    };
    for (const Constant& c : m.constants) {
      const KeyInfo* key = find_key(c.path);
      const Unit unit = key != nullptr ? Unit{base_symbol(key->dimension), key->dimension} : Unit{};
      row(c.path, format_quantity(c.value, unit), format_quantity(c.low, unit),
          format_quantity(c.high, unit));
    }
    if (m.constants.empty())
      row(fmt::format("{} {}", m.table.rows(), m.table.rows() == 1 ? "row" : "rows"), "", "", "");
  }
  return {.verdict = run.result.verdict, .tables = {std::move(table)}};
}

} // namespace perfmodel::cli
