#include "memory_parallelism.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/concurrency/resident_blocks.hpp"
#include "models/concurrency/sm_resources.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/trace.hpp"
#include "models/simulate/pattern_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace perfmodel {

namespace {

struct Point {
  Bytes in_flight, needed;
  BytesPerSecond bandwidth, roof;
  double of_pin;
  std::string bound;
};

PatternKernel copy_of(const MemoryParallelism::Input& in) {
  return {.threads = within_reach(in.threads),
          .words = within_reach(in.ilp.value_or(1)),
          .word = static_cast<int>(in.word.value)};
}

// A launch as long as those of our probe: 0.3 ms at 1.5 us a round of the blocks that fit, or at 2 TB/s,
// whichever is longer, and at least 20 rounds.
Count rounds_of(Bytes round) {
  return std::max(20.0, std::floor(3e-4 / std::max(1.5e-6, round.value / 2e12)));
}

// Of a copy at this bandwidth, where `copy` could be reached and device memory alone has `memory`.
std::string bound_of(const KernelTime& launch, BytesPerSecond bandwidth, BytesPerSecond copy,
                     BytesPerSecond memory) {
  constexpr double nearly = 0.9;
  if (bandwidth.value > nearly * copy.value) return copy < memory ? "bandwidth of L2" : "bandwidth";
  return launch.bound == "device memory" ? "latency" : launch.bound; // its banks turn, and wait for more
}

template <class T>
Point point_at(const Gpu& gpu, const MemoryParallelism::Input& in, Count resident, T& trace) {
  const auto sms = trace.fact(gpu, facts::sm_count);
  const auto clock = trace.fact(gpu, facts::clock);
  const auto blocks = trace.input("blocks", resident);
  const auto memory = copy_bandwidth(gpu, trace);
  const auto copy = through_l2(gpu, memory, trace);
  const auto q = trace.define("q", "bytes that one block loads",
                              trace.input("threads", in.threads) * trace.input("ilp", in.ilp.value_or(1)) *
                                  trace.input("word", in.word));
  const auto all = trace.define("Q", "bytes that all resident blocks load", q * blocks * sms);

  // Little's law, where all blocks go in step: a round is the latency, and then the bytes.
  const auto read = through_l2(gpu, read_bandwidth(gpu, trace), trace);
  const auto alone = trace.cost(gpu, facts::block_launch) + trace.cost(gpu, facts::dram_latency_mean) +
                     trace.cost(gpu, facts::block_store_drain);
  const auto latency = trace.define("Z", "cycles of a block that has the memory to itself", alone);
  const auto each = trace.number(2.0) / copy - trace.number(1.0) / read;
  const auto needed = trace.define("bytes_needed", "bytes in flight that make up for it: Little's law",
                                   latency / clock / each);

  const Count rounds = rounds_of(value_of(all));
  const auto moved = trace.define("bytes", "read and written by a launch of so many rounds",
                                  trace.number(2.0) * all * trace.input("rounds", rounds));
  const auto launched = static_cast<std::int64_t>(rounds * resident * value_of(sms));
  const KernelTime launch = pattern_time(gpu, copy_of(in), launched, resident, trace);
  const auto bandwidth =
      trace.define("bandwidth", "bytes read plus bytes written",
                   lesser(moved / trace.define("T(copy)", "of the launch", trace.number(launch.time)), copy));
  const auto of_pin = trace.define("of_pin", "share of the pin bandwidth",
                                   bandwidth / trace.fact(gpu, facts::dram_bandwidth));
  return {.in_flight = value_of(all),
          .needed = value_of(each).value > 0 ? value_of(needed) : Bytes{absent},
          .bandwidth = value_of(bandwidth),
          .roof = value_of(copy),
          .of_pin = value_of(of_pin),
          .bound = bound_of(launch, value_of(bandwidth), value_of(copy), value_of(memory))};
}

Launch block_of(const MemoryParallelism::Input& in) {
  return {.threads_per_block = in.threads,
          .registers_per_thread = copy_of(in).registers(),
          .barriers_per_block = 0};
}

// Throws InputError when the block cannot launch.
Occupancy held(const Gpu& gpu, const MemoryParallelism::Input& in) {
  const Launch launch = block_of(in);
  const Count registers = launch.registers_per_thread;
  if (const auto most = gpu.find(facts::max_registers_per_thread); most && registers > most->value)
    throw LaunchError(
        fmt::format("--ilp {:g} words of {:g} B need about {:g} registers of a thread; {} allows {:g}",
                    in.ilp.value_or(1), in.word.value, registers, gpu.name, most->value));
  return occupancy(gpu, launch);
}

// The least number of blocks, up to `most`, that reaches a share of the roof; `reached` grows with them.
template <class Reached>
MemoryParallelism::Blocks least_blocks(double target, Count most, Count ilp, Reached reached) {
  MemoryParallelism::Blocks row{.target = target, .ilp = ilp, .reached = reached(most)};
  if (row.reached < target) return row;
  Count below = 0;
  for (row.blocks = most; row.blocks - below > 1;) {
    const Count middle = std::floor((below + row.blocks) / 2);
    (reached(middle) < target ? below : row.blocks) = middle;
  }
  row.reached = reached(row.blocks);
  return row;
}

void check(const MemoryParallelism::Input& in) {
  const double word = in.word.value;
  if (word != 4 && word != 8 && word != 16)
    throw InputError(fmt::format("--word {:g} B: a thread loads words of 4, 8 or 16 bytes", word));
}

} // namespace

template <class T>
MemoryParallelism::Rate MemoryParallelism::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(in);
  const Occupancy most = held(gpu, in);
  const Count blocks = in.blocks.value_or(most.blocks);
  if (blocks > most.blocks)
    throw LaunchError(fmt::format("--blocks {:g}: an SM of {} holds {} of {} (limit: {})", blocks, gpu.name,
                                  format_quantity(most.blocks, {"blocks", {}}),
                                  format_quantity(in.threads, {"threads", {}}), most.binding()));
  const Point p = point_at(gpu, in, blocks, trace);
  return {.threads = in.threads,
          .blocks = blocks,
          .ilp = in.ilp.value_or(1),
          .word = in.word,
          .in_flight = p.in_flight,
          .needed = p.needed,
          .bandwidth = p.bandwidth,
          .of_pin = p.of_pin,
          .bound = p.bound};
}

template <class T>
std::tuple<std::vector<MemoryParallelism::Blocks>> MemoryParallelism::machine(const Gpu& gpu,
                                                                              const Input& given, T& trace) {
  check(given);
  if (given.target && *given.target > 1)
    throw InputError(fmt::format("--target {:g}: a share of the bandwidth is at most 1", *given.target));
  const std::vector<double> targets = given.target ? std::vector{*given.target} : std::vector{0.5, 0.9, 0.95};
  std::vector<Blocks> rows;
  Unexplained points(trace);
  const SmResources<Plain> sm = sm_resources(gpu);
  std::map<std::pair<Count, Count>, double> known; // by words and blocks: targets ask for the same ones
  const auto reached_with = [&](const Input& in) {
    return [&, in](Count blocks) {
      const auto [at, made] = known.try_emplace({*in.ilp, blocks}, 0);
      if (made) {
        const Point p = point_at(gpu, in, blocks, points.plain);
        at->second = p.bandwidth / p.roof;
      }
      return at->second;
    };
  };
  for (const double target : targets)
    for (const Count ilp : given.ilp ? std::vector{*given.ilp} : std::vector{1.0, 2.0, 4.0, 8.0}) {
      Input in = given;
      in.ilp = ilp;
      const Count most = occupancy(sm, block_of(in)).blocks; // none, where the words need too many registers
      rows.push_back(most > 0 ? least_blocks(target, most, ilp, reached_with(in))
                              : Blocks{.target = target, .ilp = ilp, .reached = absent});
    }
  return {std::move(rows)};
}

double MemoryParallelism::tolerance(const Gpu& gpu, const Input&) {
  // What a block costs is assumed there: the launch alone may be off by a factor of three, of a round by a
  // third.
  return gpu.record(facts::block_launch) == nullptr ? 0.35 : info.tolerance;
}

std::string MemoryParallelism::verdict(const Gpu&, const Input&, const Rate& rows) {
  std::string text = fmt::format("{} of {} on each SM copy at {}, {} of the pin bandwidth, bound by {}",
                                 in_words(rows.blocks, "blocks"), in_words(rows.threads, "threads"),
                                 in_words(rows.bandwidth), in_percent(rows.of_pin), rows.bound);
  if (rows.bound.rfind("bandwidth", 0) == 0) return text + ".";
  return text + fmt::format(". They load {} at once{}.", in_words(rows.in_flight),
                            std::isnan(rows.needed.value)
                                ? ""
                                : fmt::format(", and the roof takes about {}", in_words(rows.needed)));
}

template MemoryParallelism::Rate MemoryParallelism::predict(const Gpu&, const Input&, Plain&);
template MemoryParallelism::Rate MemoryParallelism::predict(const Gpu&, const Input&, Recorder&);
template std::tuple<std::vector<MemoryParallelism::Blocks>> MemoryParallelism::machine(const Gpu&,
                                                                                       const Input&, Plain&);
template std::tuple<std::vector<MemoryParallelism::Blocks>>
MemoryParallelism::machine(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
