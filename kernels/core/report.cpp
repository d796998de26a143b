#include "kernels/core/report.hpp"

#include "models/core/facts.hpp"
#include "models/core/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::kernels {
namespace {

constexpr double reading_error = 0.005; // of the SM clock that a limit is computed with

std::string text_of(const Cell& cell) {
  return std::visit(
      [](const auto& value) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
          return value;
        else
          return fmt::format("{}", value);
      },
      cell);
}

} // namespace

double Measurement::median() const { return perfmodel::median(values); }
double Measurement::low() const { return quantile(values, 0.05); }
double Measurement::high() const { return quantile(values, 0.95); }
double Measurement::clock() const { return perfmodel::median(sm_clock); }

Measurement rate_of(const Sampled& sampled, double work_per_launch) {
  Measurement rate{.values = {}, .sm_clock = sampled.sm_clock};
  for (const double seconds : sampled.seconds) rate.values.push_back(work_per_launch / seconds);
  return rate;
}

Measurement middle_run(const Session& session, const std::function<Measurement()>& run) {
  std::vector<Measurement> runs;
  for (int i = 0; i < (session.quick() ? 1 : 3); ++i) runs.push_back(run());
  std::sort(runs.begin(), runs.end(), [](const auto& a, const auto& b) { return a.median() < b.median(); });
  return runs[runs.size() / 2];
}

Report::Report(std::string title, std::vector<KeyColumn> keys, std::string measured, const Unit& unit)
    : keys_(keys.size()) {
  Table& table = result_.table;
  table.title = std::move(title);
  for (KeyColumn& key : keys)
    table.columns.push_back({std::move(key.name), std::move(key.unit), Role::key, {}});
  table.columns.push_back({std::move(measured), unit, Role::measured, {}});
  table.columns.push_back({"low", unit, Role::low, {}});
  table.columns.push_back({"high", unit, Role::high, {}});
  table.columns.push_back({"sm_clock", unit_of<Hertz>(), Role::note, {}});
}

Report::Report(std::string title, std::vector<KeyColumn> keys, std::vector<KeyColumn> counted)
    : keys_(keys.size()) {
  Table& table = result_.table;
  table.title = std::move(title);
  for (KeyColumn& key : keys)
    table.columns.push_back({std::move(key.name), std::move(key.unit), Role::key, {}});
  for (KeyColumn& count : counted)
    table.columns.push_back({std::move(count.name), std::move(count.unit), Role::measured, {}});
}

void Report::beside(std::string measured, const Unit& unit) {
  result_.table.columns.push_back({std::move(measured), unit, Role::measured, {}});
}

std::string Report::append_keys(const std::vector<Cell>& keys) {
  std::string name;
  for (std::size_t i = 0; i < keys_; ++i) {
    std::visit([&](const auto& value) { append(result_.table.columns[i], value); }, keys[i]);
    if (i != 0) name += ' ';
    name += text_of(keys[i]);
  }
  return name;
}

void Report::row(const std::vector<Cell>& keys, const std::vector<double>& counts) {
  append_keys(keys);
  for (std::size_t i = 0; i < counts.size(); ++i) append(result_.table.columns[keys_ + i], counts[i]);
}

void Report::row(const std::vector<Cell>& keys, const Measurement& m, const std::optional<Limit>& limit) {
  std::vector<Column>& columns = result_.table.columns;
  RawSamples raw{append_keys(keys), columns[keys_].unit, m.values, m.sm_clock};
  append(columns[keys_], m.median());
  append(columns[keys_ + 1], m.low());
  append(columns[keys_ + 2], m.high());
  append(columns[keys_ + 3], m.clock());
  if (limit && m.median() > limit->value * (1 + reading_error))
    result_.invalid = fmt::format("{}: {:.4g} {} is more than the {:.4g} that {} allow", raw.name, m.median(),
                                  raw.unit.symbol, limit->value, limit->reason);
  result_.samples.push_back(std::move(raw));
}

void Report::constant(std::string_view path, const Measurement& m) {
  result_.constants.push_back({std::string(path), m.median(), m.low(), m.high(), {}, {}, {}});
}

bool Report::verify(bool right, const std::string& what) {
  if (!right) {
    result_.verified = false;
    result_.invalid = "wrong answer: " + what;
  }
  return right;
}

std::optional<Limit> arithmetic_limit(const Session& session, const Key<PerCycle>& results_per_clock,
                                      double clock) {
  const Gpu* gpu = session.options.gpu;
  const auto throughput = gpu != nullptr ? gpu->find(results_per_clock) : std::nullopt;
  if (!throughput) return std::nullopt;
  const int sms = session.device.sm_count();
  return Limit{2 * sms * throughput->value.value * clock,
               fmt::format("{} SMs x {} FMAs x 2 x {:.4g} GHz", sms, throughput->value.value, clock * 1e-9)};
}

std::optional<Limit> pin_limit(const Session& session) {
  const auto bandwidth = session.device.pin_bandwidth();
  if (!bandwidth) return std::nullopt;
  return Limit{*bandwidth, "the pins"};
}

std::optional<Limit> shared_limit(const Session& session, double clock) {
  const Gpu* gpu = session.options.gpu;
  if (gpu == nullptr) return std::nullopt;
  const auto banks = gpu->find(facts::shared_banks);
  const auto width = gpu->find(facts::shared_bank_width);
  const auto cycles = gpu->find(facts::shared_cycles_per_request);
  if (!banks || !width || !cycles) return std::nullopt;
  const double per_clock = banks->value * width->value.value / cycles->value.value;
  return Limit{session.device.sm_count() * per_clock * clock,
               fmt::format("{} SMs x {} B x {:.4g} GHz", session.device.sm_count(), per_clock, clock * 1e-9)};
}

} // namespace perfmodel::kernels
