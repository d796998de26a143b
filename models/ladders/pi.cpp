#include "pi.hpp"

#include "ladder_question.hpp"
#include "long_loop.hpp"

#include "models/concurrency/occupancy.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"
#include "models/kernel/known_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace perfmodel {

namespace {

void check(const Pi::Input& in) {
  if (in.threads < 32 || in.threads > 1024 || !std::has_single_bit(static_cast<std::uint64_t>(in.threads)))
    throw InputError(fmt::format("--threads {:g}: a power of two from 32 to 1024 is expected", in.threads));
  if (in.n > 2147483648.0)
    throw InputError(
        fmt::format("--n {:.0f}: at most 2^31 intervals, which a thread counts in 32 bits", in.n));
}

// Which of the kernels' summations a version is: their template argument.
int fold_of(PiVersion version) { return static_cast<int>(version); }

// The launches of one version, of hwdb/kernels/pi.
class Launches {
public:
  Launches(const Gpu& gpu, const Pi::Input& in) : gpu_(gpu), in_(in) {}

  const KernelCode& points(PiVersion version) const { return kernel("sum_points", version); }
  std::uint64_t shared(PiVersion version) const {
    return version == PiVersion::unsummed ? 0 : 4 * static_cast<std::uint64_t>(in_.threads);
  }

  // Of the first launch: no more than the device holds at a time.
  template <class T> Count blocks(PiVersion version, T& trace) const {
    const KernelCode& code = points(version);
    const Occupancy held =
        occupancy(gpu_, {.threads_per_block = in_.threads,
                         .registers_per_thread = static_cast<Count>(*code.registers),
                         .shared_per_block = Bytes(static_cast<double>(*code.shared + shared(version)))});
    return std::clamp(std::ceil((in_.n - 1) / in_.threads), 1.0,
                      value_of(trace.fact(gpu_, facts::sm_count)) * held.blocks);
  }

  template <class T> KernelTime points_time(PiVersion version, std::int64_t blocks, T& trace) const {
    constexpr std::int64_t trips = 32; // until a loop is in its swing
    Unexplained<T> other(trace);
    // The launch whose threads go as far as to the point before `n`, at most.
    const auto at = [&](std::int64_t n, auto& by) {
      return time(points(version), version, blocks,
                  fmt::format("n={},h={:.9e},partial={}B", n, 1 / in_.n, 4 * blocks), by);
    };
    return long_loop_time(
        static_cast<std::int64_t>(in_.n), blocks * static_cast<std::int64_t>(in_.threads), trips,
        [&](std::int64_t n) { return at(n, trace); }, [&](std::int64_t n) { return at(n, other.plain); });
  }
  template <class T> KernelTime totals_time(PiVersion version, std::int64_t blocks, T& trace) const {
    return time(kernel("sum_blocks", version), version, 1,
                fmt::format("partial={}B,blocks={},h={:.9e},pi=4B", 4 * blocks, blocks, 1 / in_.n), trace);
  }

private:
  const KernelCode& kernel(std::string_view name, PiVersion version) const {
    return known_kernel("pi", fmt::format("{}ILNS1_4FoldE{}E", name, fold_of(version)), gpu_.capability());
  }
  template <class T>
  KernelTime time(const KernelCode& code, PiVersion version, std::int64_t blocks,
                  const std::string& arguments, T& trace) const {
    const KernelLaunch launch{.grid = {blocks, 1, 1},
                              .block = {static_cast<std::int64_t>(in_.threads), 1, 1},
                              .dynamic_shared = shared(version),
                              .arguments = KernelArguments::from_text(arguments)};
    return kernel_time(gpu_, ladder_question(code, launch, RungViews{in_.view}.simulated()), trace);
  }

  const Gpu& gpu_;
  const Pi::Input& in_;
};

struct Found {
  Seconds time{0};
  Count blocks = 0; // of the first launch
  double instructions = 0;
  std::string bound;
  KernelTime first; // of the launches
};

// `first` is the trace that the launch of the points is explained by, which takes `least` or longer.
template <class First, class T>
Found run_both(const Launches& launches, PiVersion version, Seconds least, First& first, T& trace) {
  const auto blocks = static_cast<std::int64_t>(launches.blocks(version, trace));
  const KernelTime points = launches.points_time(version, blocks, first);
  Found found{.time = std::max(points.time, least),
              .blocks = points.blocks,
              .instructions = points.counts.instructions,
              .bound = points.bound,
              .first = points};
  if (version == PiVersion::unsummed) return found;
  const KernelTime totals = launches.totals_time(version, blocks, trace);
  found.time = found.time + totals.time;
  found.instructions += totals.counts.instructions;
  return found;
}

// 4 |zeta(-1/2)| sqrt(2) n^(-3/2)
double rule_error(double n) { return 4 * 0.2078862249773545 * std::sqrt(2.0) * std::pow(n, -1.5); }

} // namespace

template <class T> Pi::Tables Pi::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(in);
  const Launches launches(gpu, in);
  const auto time_of = [&](std::string_view name, const Found& found) {
    return trace.define(fmt::format("T({})", name), "time of the launches", trace.number(found.time));
  };
  Unexplained<T> other(trace); // one launch shows what goes into all of them
  const Found bare = run_both(launches, PiVersion::unsummed, Seconds{0}, trace, other.plain);
  const auto least = time_of("unsummed", bare);

  std::vector<Row> rows;
  RungViews views{in.view};
  for (std::size_t i = 0; i < names(PiVersion{}).size(); ++i) {
    const auto version = static_cast<PiVersion>(i);
    if (in.version && *in.version != version) continue;
    const bool summed = version != PiVersion::unsummed;
    // The same work and more: where warps come apart luckily the simulation is up to 1 % quicker.
    const Found found = summed ? run_both(launches, version, bare.time, other.plain, other.plain) : bare;
    views.add(names(PiVersion{})[i], launches.points(version), found.first);
    const Seconds time = value_of(summed ? time_of(names(PiVersion{})[i], found) : least);
    rows.push_back({.version = version,
                    .n = in.n,
                    .threads = in.threads,
                    .time = time,
                    .share = 1 - value_of(least) / time,
                    .gain = rows.empty() ? absent : rows.back().time / time,
                    .rate = in.n / time.value,
                    .blocks = found.blocks,
                    .per_thread = in.n / (found.blocks * in.threads),
                    .instructions = std::round(found.instructions),
                    .rule_error = rule_error(in.n),
                    .bound = found.bound});
  }
  return views.take_behind(std::move(rows));
}

const void* Pi::said(const Input&, const Tables& tables) {
  const Row* best = nullptr; // of those that sum, where there are any
  const auto rank = [](const Row& row) { return std::pair(row.version == PiVersion::unsummed, row.time); };
  for (const Row& row : std::get<0>(tables))
    if (best == nullptr || rank(row) < rank(*best)) best = &row;
  return best == nullptr ? nullptr : &best->time;
}

std::string Pi::verdict(const Gpu& gpu, const Input&, const Tables& tables) {
  const std::vector<Row>& rows = std::get<0>(tables);
  const Row& last = rows.back();
  const std::string foreign = foreign_code("pi", gpu.capability());
  const std::string code = foreign.empty() ? "." : fmt::format(", in {}.", foreign);
  if (rows.size() == 1 && last.version == PiVersion::unsummed)
    return fmt::format("{} without a summation take {}, bound by {}{}", in_words(last.n, "intervals"),
                       in_words(last.time), binding(last.bound), code);
  std::string text = "The summation takes ";
  Row best{};
  for (const Row& row : rows) {
    if (row.version == PiVersion::unsummed) continue;
    const bool first = best.n == 0;
    text += fmt::format("{}{} of the time of {}", first ? "" : " and ", in_percent(row.share),
                        names(row.version)[static_cast<std::size_t>(row.version)]);
    if (first || row.time < best.time) best = row;
  }
  return text + fmt::format(": {} in {} at best, bound by {}{}", in_words(best.n, "intervals"),
                            in_words(best.time), binding(best.bound), code);
}

template Pi::Tables Pi::predict(const Gpu&, const Input&, Plain&);
template Pi::Tables Pi::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
