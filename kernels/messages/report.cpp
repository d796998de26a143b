#include "report.hpp"

#include "models/core/in_words.hpp"
#include "models/core/model.hpp"
#include "models/core/statistics.hpp"
#include "models/parallel/predicted_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <unistd.h>

namespace perfmodel::messages {

namespace {

Column words(const char* name, Role role) {
  return {.name = name, .role = role, .cells = std::vector<std::string>{}};
}
Column numbers(const char* name, const Unit& unit, Role role) {
  return {.name = name, .unit = unit, .role = role, .cells = std::vector<double>{}};
}

// A measured time with its percentiles, and what was predicted.
void add_times(Table& t) {
  const Unit s = unit_of<Seconds>();
  t.columns.push_back(numbers("time", s, Role::measured));
  t.columns.push_back(numbers("p5", s, Role::low));
  t.columns.push_back(numbers("p95", s, Role::high));
  t.columns.push_back(numbers("predicted", s, Role::predicted));
  t.columns.push_back(numbers("error", {"fraction", {}}, Role::predicted));
}
void append_times(Table& t, std::size_t first, const Timed& x, Seconds predicted) {
  const double cells[] = {x.time.value, x.low.value, x.high.value, predicted.value, predicted / x.time - 1};
  for (std::size_t c = 0; c < 5; ++c) append(t.columns[first + c], cells[c]);
}

Table table_of_messages(const std::vector<Protocol>& protocols) {
  Table t{.title = "messages between two ranks"};
  t.columns = {words("protocol", Role::key), numbers("bytes", unit_of<Bytes>(), Role::key)};
  add_times(t);
  t.columns.push_back(words("used", Role::note));
  for (const Protocol& p : protocols)
    for (std::size_t i = 0; i < p.times.points.size(); ++i) {
      const Timed& x = p.times.points[i];
      append(t.columns[0], std::string(p.name));
      append(t.columns[1], x.bytes.value);
      append_times(t, 2, x, p.fitted.time(x.bytes));
      append(t.columns[7], std::string(i % 2 == 0 ? "to fit" : "to judge"));
    }
  return t;
}

// Synchronous sends as the model message has them, a rendezvous, with alpha and beta of ordinary short ones.
Table table_of_synchronous(const Protocol& eager, const Protocol& synchronous) {
  Table t{.title = "synchronous sends, from alpha and beta of short ones"};
  t.columns = {words("protocol", Role::key), numbers("bytes", unit_of<Bytes>(), Role::key),
               numbers("latency", unit_of<Seconds>(), Role::key),
               numbers("bandwidth", unit_of<BytesPerSecond>(), Role::key)};
  add_times(t);
  for (const Timed& x : synchronous.times.points) {
    append(t.columns[0], std::string("rendezvous"));
    append(t.columns[1], x.bytes.value);
    append(t.columns[2], eager.fitted.alpha.value);
    append(t.columns[3], eager.fitted.beta.value);
    append_times(t, 4, x, 2.0 * eager.fitted.alpha + x.bytes / eager.fitted.beta);
  }
  return t;
}

// What both the cost of a step and the rate of adding were taken from.
Table table_of_steps(const Measured& m) {
  const Unit s = unit_of<Seconds>();
  const CostsBySize costs = CostsBySize::from_text(m.costs);
  Table t{.title = "steps of a sum: both ways at once, and adding"};
  t.columns = {words("step", Role::key), numbers("bytes", unit_of<Bytes>(), Role::key)};
  add_times(t);
  for (const Timed& x : m.exchanges.points) {
    append(t.columns[0], std::string("exchange"));
    append(t.columns[1], x.bytes.value);
    append_times(t, 2, x, costs.of(x.bytes).sent(x.bytes));
  }
  for (const Timed& x : m.adding.points) {
    append(t.columns[0], std::string("add"));
    append(t.columns[1], x.bytes.value);
    append_times(t, 2, x, costs.of(x.bytes).added(x.bytes));
  }
  return t;
}

Table table_of_sums(const Measured& m, const PredictedSums& predicted) {
  Table t{.title = fmt::format("all-reduce of {} ranks", m.ranks)};
  t.columns = {words("algorithm", Role::key), numbers("ranks", {"ranks", {}}, Role::key),
               numbers("bytes", unit_of<Bytes>(), Role::key), words("costs", Role::key),
               words("one-way", Role::key)};
  add_times(t);
  for (std::size_t a = 0; a < m.sums.size(); ++a)
    for (std::size_t i = 0; i < m.sums[a].points.size(); ++i) {
      append(t.columns[0], std::string(names(AllReduceAlgorithm{})[a]));
      append(t.columns[1], static_cast<double>(m.ranks));
      append(t.columns[2], m.sums[a].points[i].bytes.value);
      append(t.columns[3], m.costs);
      append(t.columns[4], m.one_way);
      append_times(t, 5, m.sums[a].points[i], predicted.times[a][i]);
    }
  return t;
}

Table table_of_library(const Measured& m, const PredictedSums& predicted) {
  Table t{.title = "all-reduce of the library, which chooses by itself"};
  t.columns = {numbers("bytes", unit_of<Bytes>(), Role::key)};
  const Unit s = unit_of<Seconds>();
  t.columns.push_back(numbers("time", s, Role::measured));
  t.columns.push_back(numbers("p5", s, Role::low));
  t.columns.push_back(numbers("p95", s, Role::high));
  t.columns.push_back(words("fastest", Role::note));
  t.columns.push_back(words("predicted fastest", Role::note));
  for (std::size_t i = 0; i < m.library.points.size(); ++i) {
    const Timed& x = m.library.points[i];
    const double cells[] = {x.bytes.value, x.time.value, x.low.value, x.high.value};
    for (std::size_t c = 0; c < 4; ++c) append(t.columns[c], cells[c]);
    append(t.columns[4], std::string(names(AllReduceAlgorithm{})[predicted.fastest_measured[i]]));
    append(t.columns[5], std::string(names(AllReduceAlgorithm{})[predicted.fastest[i]]));
  }
  return t;
}

// Why times are not to be used: where one time in four is half as long again as the shortest of it, something
// else had the cores, and more than now and then, which a median does not see.
std::string unsteady(const std::vector<Timed>& points) {
  const auto slow =
      std::count_if(points.begin(), points.end(), [](const Timed& x) { return x.time > 1.5 * x.low; });
  if (4 * slow < static_cast<std::ptrdiff_t>(points.size())) return "";
  return fmt::format(
      "{} of {} times are half as long again as the shortest of the same: other programs ran on "
      "these cores, or there are fewer cores than ranks",
      slow, points.size());
}

std::string verdict_of(const std::vector<Protocol>& protocols) {
  std::string text;
  double worst = 0;
  for (const Protocol& p : protocols) {
    text += fmt::format("{}{}: alpha {}, beta {}", text.empty() ? "" : "; ", p.name, in_words(p.fitted.alpha),
                        in_words(p.fitted.beta));
    worst = std::max(worst, error_of_others(p.fitted, p.times.points));
  }
  return text + fmt::format(". Sizes that were not fitted are off by {} on average, of the worst of these.",
                            in_percent(worst));
}

std::string verdict_of_sums(const Measured& m, const PredictedSums& p) {
  return fmt::format(
      "Sums of {} ranks are off by {} on average, {} at worst ({}, {}); the predicted winner is "
      "right at {} of {} sizes where it matters by 10 %.",
      m.ranks, in_percent(p.mean_error), in_percent(p.worst_error),
      names(AllReduceAlgorithm{})[p.worst_algorithm], in_words(p.worst_bytes), p.winners_right,
      p.winners_judged);
}

std::vector<Timed> joined(const std::vector<const Times*>& all) {
  std::vector<Timed> points;
  for (const Times* times : all) points.insert(points.end(), times->points.begin(), times->points.end());
  return points;
}

Measurement measurement(const char* probe, const char* model, const char* measures, Table table,
                        const std::vector<const Times*>& times) {
  return {.probe = probe,
          .model = model,
          .measures = measures,
          .table = std::move(table),
          .verified = std::all_of(times.begin(), times.end(), [](const Times* t) { return t->verified; }),
          .invalid = unsteady(joined(times))};
}

} // namespace

void report(const Measured& m, Record& record) {
  std::vector<std::vector<Timed>> sums;
  for (const Times& times : m.sums) sums.push_back(times.points);
  const PredictedSums predicted =
      predict_sums(CostsBySize::from_text(m.costs), CostsBySize::from_text(m.one_way), m.ranks, sums);
  record.result.verdict = {verdict_of(m.protocols), verdict_of_sums(m, predicted)};
  std::vector<const Times*> messages, algorithms;
  for (const Protocol& p : m.protocols) messages.push_back(&p.times);
  for (const Times& t : m.sums) algorithms.push_back(&t);
  record.measurements.push_back(measurement("ping-pong", "", "half of the way there and back",
                                            table_of_messages(m.protocols), messages));
  record.measurements.push_back(measurement("synchronous-send", "message", "a synchronous send of few bytes",
                                            table_of_synchronous(m.protocols[0], m.protocols[2]),
                                            {&m.protocols[2].times}));
  record.measurements.push_back(measurement("exchange", "", "what a step of a sum costs", table_of_steps(m),
                                            {&m.exchanges, &m.adding}));
  record.measurements.push_back(measurement("all-reduce", "all-reduce", "sums of floats by each algorithm",
                                            table_of_sums(m, predicted), algorithms));
  record.measurements.push_back(measurement("all-reduce-library", "", "MPI_Allreduce of floats",
                                            table_of_library(m, predicted), {&m.library}));
  record.result.notes.push_back(fmt::format(
      "Up to, alpha, beta and rate of adding: 'perfmodel all-reduce --ranks {} --costs {} --one-way {}'.",
      m.ranks, m.costs, m.one_way));
  if (const long cores = ::sysconf(_SC_NPROCESSORS_ONLN); m.ranks > cores) {
    const std::string why = fmt::format("{} ranks take turns on {} cores", m.ranks, cores);
    for (Measurement& of : record.measurements) of.invalid = why;
    record.result.verdict.insert(record.result.verdict.begin(), why + ": none of these times is to be used.");
  }
  for (const Measurement& of : record.measurements)
    if (!of.invalid.empty())
      record.result.notes.push_back(fmt::format("{} is not to be used: {}.", of.probe, of.invalid));
}

} // namespace perfmodel::messages
