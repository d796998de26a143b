#include "work_depth.hpp"

#include "cache_transfers.hpp"
#include "models/access/transactions.hpp"
#include "models/bounds/cache_in_front.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/trace.hpp"
#include "operation_count.hpp"

#include <fmt/format.h>

#include <cmath>

namespace perfmodel {

namespace {

constexpr double most_elements = 1e15; // n^3 of them is still far from what a double holds

void check(const WorkDepth::Input& in) {
  if (in.n > most_elements)
    throw InputError(fmt::format("--n {:g}: {:g} at most are counted", in.n, most_elements));
}

void check(Bytes cache, Bytes line, Bytes word) {
  const auto text = [](Bytes b) { return format_quantity(b.value, unit_of<Bytes>()); };
  if (line < word)
    throw InputError(fmt::format("--word {}: a line of {} does not hold it", text(word), text(line)));
  if (cache < line)
    throw InputError(fmt::format("--cache {}: it does not hold a line of {}", text(cache), text(line)));
}

template <class T> auto processors(const Gpu& gpu, const WorkDepth::Input& in, T& trace) {
  if (in.processors) return trace.input("P", *in.processors);
  return trace.define("P", "lanes: results of fp32 FMAs per clock, of all SMs",
                      trace.fact(gpu, facts::sm_count) * trace.fact(gpu, facts::throughput_fp32_fma) *
                          trace.number(Cycles{1}));
}

template <class T> auto line_of(const Gpu& gpu, const WorkDepth::Input& in, T& trace) {
  if (in.line) return trace.input("L", *in.line);
  const auto least = static_cast<double>(coalescing_rule(gpu, GlobalAccess::load, LoadCache::standard).least);
  return trace.define("L", "bytes of a line, the least transaction", trace.number(Bytes(least)));
}

std::string growth(ParallelAlgorithm a, const WorkDepth::Traffic& t) {
  if (fits(a, t.n, t.cache, t.word)) return "all fits already";
  switch (a) {
  case ParallelAlgorithm::matmul_divide_and_conquer:
  case ParallelAlgorithm::matmul_in_place:
    return "4 times";
  case ParallelAlgorithm::fft:
    return "its square";
  case ParallelAlgorithm::matmul_loops:
    return "tile the loops";
  default:
    return "none helps";
  }
}

std::string note(ParallelAlgorithm a) {
  switch (a) {
  case ParallelAlgorithm::reduction:
    return "a tree";
  case ParallelAlgorithm::scan_serial:
    return "one after the other";
  case ParallelAlgorithm::scan_hillis_steele:
    return "x[i] += x[i - 2^k]: few steps, lg n times the work";
  case ParallelAlgorithm::scan_blelloch:
    return "up a tree and down again; n filled up to a power of two";
  case ParallelAlgorithm::matmul_loops:
    return "rows and columns in parallel, each sum one after the other";
  case ParallelAlgorithm::matmul_divide_and_conquer:
    return "eight products of halves at once, four into a temporary that is then added: D(n) = D(n/2) + "
           "Theta(lg n)";
  case ParallelAlgorithm::matmul_in_place:
    return "four products of halves, then four more: D(n) = 2 D(n/2) + Theta(1)";
  case ParallelAlgorithm::transpose:
    return "every element by itself";
  case ParallelAlgorithm::fft:
    return "radix 2; n filled up to a power of two";
  }
  return {};
}

bool is_asked(const WorkDepth::Input& in, ParallelAlgorithm a) { return !in.algorithm || a == *in.algorithm; }

} // namespace

template <class T>
WorkDepth::Tables WorkDepth::predict(const Gpu& gpu, const WorkDepth::Input& in, T& trace) {
  check(in);
  const auto p = processors(gpu, in, trace);
  // What crosses is left out where nobody published which lines do.
  const bool has_line = in.line || gpu.find(facts::coalescing_class);
  const auto word = trace.input("w", in.word);
  const auto cache = has_line ? cache_in_front(gpu, in.cache, trace) : word,
             line = has_line ? line_of(gpu, in, trace) : word;
  check(value_of(cache), value_of(line), in.word);
  const auto n = trace.input("n", in.n), one = trace.number(1.0);
  Tables tables;
  auto& [parallelisms, schedules, traffics] = tables;
  for (std::size_t i = 0; i < names(ParallelAlgorithm{}).size(); ++i) {
    const auto a = static_cast<ParallelAlgorithm>(i);
    if (!is_asked(in, a)) continue;
    const auto of = [&](const char* what) { return fmt::format("{}({})", what, name_of(a)); };
    const auto count = operation_count(a, n, trace);
    const auto work = trace.define(of("W"), "work", count.work);
    const auto depth = trace.define(of("D"), "depth", count.depth);
    Parallelism row{.algorithm = a, .n = in.n, .work = value_of(work), .depth = value_of(depth)};
    Schedule schedule{.algorithm = a, .n = in.n, .processors = value_of(p)};
    if (row.depth > 0) {
      const auto parallelism = trace.define(of("W/D"), "processors worth having", work / depth);
      row.parallelism = value_of(parallelism);
      schedule.speedup = value_of(lesser(p, parallelism));
    }
    const auto share = work / p;
    schedule.least = value_of(trace.define(of("least"), "steps at least", round_up(greater(share, depth))));
    schedule.most =
        value_of(trace.define(of("most"), "steps at most", round_down(share + depth * (p - one) / p)));
    parallelisms.push_back(row);
    schedules.push_back(schedule);
    if (!has_line) continue;
    const auto misses =
        trace.define(of("Q"), "lines that cross", cache_transfers(a, n, cache, line, word, trace));
    Traffic traffic{.algorithm = a,
                    .n = in.n,
                    .cache = value_of(cache),
                    .line = value_of(line),
                    .word = in.word,
                    .misses = value_of(misses),
                    .per_byte = row.work / (value_of(misses) * value_of(line).value),
                    .cache_then = cache_for_twice_the_work(a, in.n, value_of(cache), in.word),
                    .growth = {}};
    traffic.growth = growth(a, traffic);
    traffics.push_back(std::move(traffic));
  }
  return tables;
}

template <class T>
std::tuple<std::vector<WorkDepth::Method>> WorkDepth::machine(const Gpu&, const WorkDepth::Input& in, T&) {
  std::vector<Method> rows;
  for (std::size_t i = 0; i < names(ParallelAlgorithm{}).size(); ++i) {
    const auto a = static_cast<ParallelAlgorithm>(i);
    if (!is_asked(in, a)) continue;
    rows.push_back({.algorithm = a,
                    .operation = std::string(operation_of(a)),
                    .counted = is_counted(a) ? "exactly" : "Theta",
                    .misses = has_counted_misses(a) ? "exactly" : "Theta",
                    .note = note(a)});
  }
  return {std::move(rows)};
}

std::string WorkDepth::verdict(const Gpu&, const WorkDepth::Input&, const Tables& rows) {
  const auto& [parallelisms, schedules, traffics] = rows;
  if (parallelisms.size() == 1) {
    const Parallelism& p = parallelisms.front();
    const Schedule& s = schedules.front();
    if (std::isnan(p.parallelism)) return fmt::format("There is nothing to do for n = {}.", in_words(p.n));
    return fmt::format(
        "{} of n = {} has a parallelism of {}: {} processors make it {} times as fast at most.",
        name_of(p.algorithm), in_words(p.n), in_words(p.parallelism), in_words(s.processors),
        in_words(s.speedup));
  }
  std::size_t busy = 0;
  const Parallelism* least = nullptr;
  for (std::size_t i = 0; i < parallelisms.size(); ++i) {
    const Parallelism& p = parallelisms[i];
    if (std::isnan(p.parallelism)) continue;
    busy += p.parallelism >= schedules[i].processors ? 1 : 0;
    if (least == nullptr || p.parallelism < least->parallelism) least = &p;
  }
  if (least == nullptr)
    return fmt::format("There is nothing to do for n = {}.", in_words(parallelisms.front().n));
  return fmt::format(
      "{} of {} algorithms keep {} processors busy at n = {}. {} has the least parallelism, {}.", busy,
      parallelisms.size(), in_words(schedules.front().processors), in_words(least->n),
      name_of(least->algorithm), in_words(least->parallelism));
}

template WorkDepth::Tables WorkDepth::predict(const Gpu&, const WorkDepth::Input&, Plain&);
template WorkDepth::Tables WorkDepth::predict(const Gpu&, const WorkDepth::Input&, Recorder&);
template std::tuple<std::vector<WorkDepth::Method>> WorkDepth::machine(const Gpu&, const WorkDepth::Input&,
                                                                       Plain&);
template std::tuple<std::vector<WorkDepth::Method>> WorkDepth::machine(const Gpu&, const WorkDepth::Input&,
                                                                       Recorder&);

} // namespace perfmodel
