#include "memory_parallelism.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/concurrency/resident_blocks.hpp"
#include "models/concurrency/sm_resources.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

constexpr Count address_registers = 10; // addresses and what the compiler keeps beside the words

struct Point {
  Bytes in_flight, needed;
  BytesPerSecond bandwidth, roof;
  double of_pin;
  const char* bound;
};

template <class T>
Point point_at(const Gpu& gpu, const MemoryParallelism::Input& in, Count resident, T& trace) {
  const auto sms = trace.fact(gpu, facts::sm_count);
  const auto clock = trace.fact(gpu, facts::clock);
  const auto blocks = trace.input("blocks", resident);
  const auto warps =
      trace.define("warps", "of a block",
                   round_up(trace.input("threads", in.threads) / trace.fact(gpu, facts::warp_size)));
  const auto warp = trace.cost(gpu, facts::block_warp_interval);
  const auto launch = trace.cost(gpu, facts::block_launch) + (warps - trace.number(1.0)) * warp;
  const auto load = trace.cost(gpu, facts::block_load_latency);
  const auto store = trace.cost(gpu, facts::block_store_drain);
  const auto read = through_l2(gpu, read_bandwidth(gpu, trace), trace);
  const auto write = write_bandwidth(gpu, trace), memory = copy_bandwidth(gpu, trace);
  const auto copy = through_l2(gpu, memory, trace);

  const auto q = trace.define("q", "bytes that one block loads",
                              trace.input("threads", in.threads) * trace.input("ilp", in.ilp.value_or(1)) *
                                  trace.input("word", in.word));
  const auto all = trace.define("Q", "bytes that all resident blocks load", q * blocks * sms);
  const auto latency =
      trace.define("Z", "cycles of a block that has the memory to itself", launch + load + store);
  const auto round =
      trace.define("T(latency)", "cycles of a round: the latency, its loads, one block's stores",
                   latency + all / read * clock + q * sms / write * clock);
  const auto roof = trace.define("T(bandwidth)", "cycles of a round at the copy bandwidth",
                                 trace.number(2.0) * all / copy * clock);
  // Of T(latency) = T(bandwidth); loads that come no faster than half the copy's bytes never get there.
  const auto each = trace.number(2.0) / copy - trace.number(1.0) / read;
  const auto needed = trace.define("bytes_needed", "bytes in flight that reach the copy bandwidth",
                                   (latency / clock + q * sms / write) / each);
  const auto by_sm = greater(trace.cost(gpu, facts::block_launch_interval), warps * warp);
  const auto by_device = trace.cost(gpu, facts::block_device_interval) * sms;
  const auto launches = trace.define("T(launch)", "cycles to launch a round of blocks: on an SM, by the GPU",
                                     blocks * greater(by_sm, by_device));
  const auto time = trace.define("T", "cycles of a round", greater(greater(round, roof), launches));
  const auto bandwidth =
      trace.define("bandwidth", "bytes read plus bytes written", trace.number(2.0) * all / time * clock);
  const auto of_pin = trace.define("of_pin", "share of the pin bandwidth",
                                   bandwidth / trace.fact(gpu, facts::dram_bandwidth));
  const char* bound = "latency";
  if (value_of(time) == value_of(roof))
    bound = value_of(copy) < value_of(memory) ? "bandwidth of L2" : "bandwidth";
  if (value_of(time) == value_of(launches)) bound = "block launch";
  return {.in_flight = value_of(all),
          .needed = value_of(each).value > 0 ? value_of(needed) : Bytes{absent},
          .bandwidth = value_of(bandwidth),
          .roof = value_of(copy),
          .of_pin = value_of(of_pin),
          .bound = bound};
}

Launch launch_of(const MemoryParallelism::Input& in) {
  return {.threads_per_block = in.threads,
          .registers_per_thread = in.ilp.value_or(1) * in.word.value / 4 + address_registers,
          .barriers_per_block = 0};
}

// Throws InputError when the block cannot launch.
Occupancy held(const Gpu& gpu, const MemoryParallelism::Input& in) {
  const Launch launch = launch_of(in);
  const Count registers = launch.registers_per_thread;
  if (const auto most = gpu.find(facts::max_registers_per_thread); most && registers > most->value)
    throw LaunchError(
        fmt::format("--ilp {:g} words of {:g} B need about {:g} registers of a thread; {} allows {:g}",
                    in.ilp.value_or(1), in.word.value, registers, gpu.name, most->value));
  return occupancy(gpu, launch);
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
  for (const double target : targets)
    for (const Count ilp : given.ilp ? std::vector{*given.ilp} : std::vector{1.0, 2.0, 4.0, 8.0}) {
      Input in = given;
      in.ilp = ilp;
      const Count most = occupancy(sm, launch_of(in)).blocks; // none, where the words need too many registers
      Blocks row{.target = target, .ilp = ilp, .reached = most > 0 ? 0 : absent};
      for (Count blocks = 1; blocks <= most && !(row.reached >= target); ++blocks) {
        const Point p = point_at(gpu, in, blocks, points.plain);
        row.reached = p.bandwidth / p.roof;
        if (row.reached >= target) row.blocks = blocks;
      }
      rows.push_back(row);
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
  return text + (std::isnan(rows.needed.value)
                     ? fmt::format(". They load {} at once, and no number of such blocks reaches the roof.",
                                   in_words(rows.in_flight))
                     : fmt::format(". They load {} at once, and {} reach the roof.", in_words(rows.in_flight),
                                   in_words(rows.needed)));
}

template MemoryParallelism::Rate MemoryParallelism::predict(const Gpu&, const Input&, Plain&);
template MemoryParallelism::Rate MemoryParallelism::predict(const Gpu&, const Input&, Recorder&);
template std::tuple<std::vector<MemoryParallelism::Blocks>> MemoryParallelism::machine(const Gpu&,
                                                                                       const Input&, Plain&);
template std::tuple<std::vector<MemoryParallelism::Blocks>>
MemoryParallelism::machine(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
