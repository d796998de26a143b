// From samples to the rows and constants of a result: median, 5th and 95th percentile, clock, physical limit.
#pragma once

#include "kernels/core/timing.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace perfmodel::kernels {

// Samples of the measured quantity itself, in base units.
struct Measurement {
  std::vector<double> values;
  std::vector<double> sm_clock;

  double median() const;
  double low() const;   // 5th percentile
  double high() const;  // 95th percentile
  double clock() const; // median of the SM clock
};

// Bytes or operations per second.
Measurement rate_of(const Sampled& sampled, double work_per_launch);

// The run whose median is the middle one, of three runs (quick: one), so that a disturbed run does not count.
Measurement middle_run(const Session& session, const std::function<Measurement()>& run);

// What no reading can exceed, and why: "132 SMs x 128 lanes x 2 flop x 1.980 GHz".
struct Limit {
  double value = 0;
  std::string reason;
};

using Cell = std::variant<double, std::int64_t, std::string>;
struct KeyColumn {
  std::string name;
  Unit unit;
};

class Report {
public:
  Report(std::string title, std::vector<KeyColumn> keys, std::string measured, const Unit& unit);
  // A table of counts: each column is held against the model's output of its name. No percentiles and no
  // clock.
  Report(std::string title, std::vector<KeyColumn> keys, std::vector<KeyColumn> counted);

  // A row of the table with its raw samples. A median above the limit by more than the clock's 0.5 % makes
  // the result invalid.
  void row(const std::vector<Cell>& keys, const Measurement& measurement,
           const std::optional<Limit>& limit = {});
  // A second quantity that is measured with the first, of which a row has one value and no percentiles: to be
  // named before the first row, and given after each.
  void beside(std::string measured, const Unit& unit);
  void value_beside(double value) { append(result_.table.columns.back(), value); }
  // A row of counts, one for every counted column.
  void row(const std::vector<Cell>& keys, const std::vector<double>& counts);
  void constant(std::string_view path, const Measurement& measurement);
  void note(std::string text) { result_.notes.push_back(std::move(text)); }
  // Why nothing can be measured here.
  void refuse(std::string why) { result_.invalid = std::move(why); }
  // A wrong answer makes the result invalid: its time says nothing. Returns `right`.
  bool verify(bool right, const std::string& what);
  ProbeResult take() { return std::move(result_); }

private:
  std::string append_keys(const std::vector<Cell>& keys); // returns the row's name

  ProbeResult result_;
  std::size_t keys_;
};

// The limits that are known of this device: per-SM throughputs come from its facts (Options::gpu), pin
// bandwidth from the device query. Absent where no such fact is given.
std::optional<Limit> arithmetic_limit(const Session& session, const Key<PerCycle>& results_per_clock,
                                      double clock);
std::optional<Limit> pin_limit(const Session& session);
std::optional<Limit> shared_limit(const Session& session, double clock);

} // namespace perfmodel::kernels
