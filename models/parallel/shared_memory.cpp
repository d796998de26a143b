#include "shared_memory.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"
#include "network.hpp"

#include <fmt/format.h>

#include <cmath>

namespace perfmodel {

namespace {

using Way = ProductWay;

constexpr double most_n = 1e9, most_processes = 1e6;

std::vector<Way> ways_of(const Gpu& gpu) {
  if (gpu.name.empty()) return {Way::shared_memory, Way::messages};
  return {Way::shared_memory, Way::messages, Way::gpus};
}

void check(const SharedMemory::Input& in) {
  if (in.word != Bytes(4) && in.word != Bytes(8))
    throw InputError(fmt::format("--word {:g} B: numbers have 4 or 8 bytes", in.word.value));
  if (in.n > most_n) throw InputError(fmt::format("--n {:g}: {:g} rows at most", in.n, most_n));
  if (in.processes > most_processes)
    throw InputError(fmt::format("--processes {:g}: {:g} at most", in.processes, most_processes));
  if (!(in.efficiency < 1))
    throw InputError(fmt::format("--efficiency {:g}: a share below one is expected", in.efficiency));
}

// What a way rests on, and nothing else, so that its grade is its own; with the slide's terms as steps.
template <class T> ProductCosts costs_of(Way way, const Gpu& gpu, const SharedMemory::Input& in, T& trace) {
  ProductCosts c{.kind = in.barrier_kind, .word = in.word};
  const auto n = trace.input("N", in.n), p = trace.input("P", in.processes);
  const auto rows = trace.define("rows", "of the slowest process", round_up(n / p));
  const auto say = [&](const auto& tau) {
    const auto time = trace.define(fmt::format("computing({})", names(way)[static_cast<std::size_t>(way)]),
                                   "rows N^2 2 tau", 2.0 * rows * n * n * tau);
    c.operation = value_of(tau);
    return time;
  };
  if (way == Way::gpus) {
    const bool doubles = in.word == Bytes(8);
    const auto fmas = trace.fact(gpu, doubles ? facts::throughput_fp64_fma : facts::throughput_fp32_fma);
    const auto rate = trace.fact(gpu, facts::sm_count) * fmas * trace.fact(gpu, facts::clock);
    const auto one = trace.number(1.0), two = trace.number(2.0);
    say(trace.define("tau(GPU)",
                     doubles ? "a multiply or an add at the peak of fp64"
                             : "a multiply or an add at the peak of fp32",
                     one / (two * rate)));
    c.host_link = value_of(in.link ? trace.input("link", *in.link) : trace.fact(gpu, facts::pcie_bandwidth));
    if (gpu.has_cost(facts::kernel_empty)) c.launch = value_of(trace.cost(gpu, facts::kernel_empty));
  } else {
    say(network::given_or(trace, "tau", in.operation, network::operation));
  }
  if (in.processes == 1) return c;
  if (way == Way::shared_memory) {
    c.barrier = value_of(network::given_or(trace, "T_bar", in.barrier, network::barrier_round));
    c.lock = value_of(network::given_or(trace, "T_lock", in.lock, network::locking));
    c.spawn = value_of(network::given_or(trace, "T_spawn", in.spawn, network::spawning));
  } else {
    c.alpha = value_of(network::given_or(trace, "alpha", in.latency, network::latency));
    c.beta = value_of(network::given_or(trace, "beta", in.bandwidth, network::bandwidth));
  }
  return c;
}

void add_terms(std::vector<SharedMemory::Part>& parts, Way way, double p, const ProductTime& t) {
  const std::pair<const char*, Seconds> all[] = {
      {"computing", t.compute}, {"copies from and to the host", t.copies},
      {"launches", t.launches}, {"spawning", t.spawn},
      {"barrier", t.barrier},   {"locks", t.locks},
      {"scatter A", t.scatter}, {"broadcast B", t.broadcast},
      {"gather C", t.gather},   {"add the sums", t.reduction}};
  for (const auto& [term, time] : all)
    if (time > Seconds(0)) parts.push_back({way, p, term, time, time / t.total()});
}

} // namespace

template <class T>
SharedMemory::Tables SharedMemory::predict(const Gpu& gpu, const SharedMemory::Input& in, T& trace) {
  check(in);
  if (in.link && gpu.name.empty()) throw InputError("--link is of a GPU's host: --hw says of which");
  Tables tables;
  auto& [rows, scalings, parts] = tables;
  const double n = in.n, p = in.processes;
  for (const Way way : ways_of(gpu)) {
    const ProductCosts costs = costs_of(way, gpu, in, trace);
    const ProductTime t = product_time(way, n, p, costs);
    const double speedup = product_speedup(way, n, p, costs);
    const Seconds overhead = t.overhead();
    const double most = std::ceil(n / p);
    rows.push_back({.way = way,
                    .processes = p,
                    .time = t.total(),
                    .compute = t.compute,
                    .overhead = overhead > Seconds(0) ? overhead : Seconds(absent),
                    .speedup = speedup,
                    .efficiency = speedup / p,
                    .rows = most,
                    .idle = 1 - n / (most * p)});
    Scaling s{.way = way, .processes = p, .grain = t.compute};
    if (p > 1) {
      s.serial = std::max(0.0, (1 / speedup - 1 / p) / (1 - 1 / p));
      if (s.serial > 0 && s.serial < 1) s.amdahl = 1 / s.serial;
      s.gustafson = p - overhead / t.total() * (p - 1);
      s.grain_ratio = t.compute / overhead;
      s.iso_rows = rows_for_efficiency(way, p, in.efficiency, costs);
    }
    scalings.push_back(s);
    add_terms(parts, way, p, t);
  }
  return tables;
}

template <class T>
std::tuple<std::vector<SharedMemory::Assumed>> SharedMemory::machine(const Gpu& gpu,
                                                                     const SharedMemory::Input&, T&) {
  std::vector<Assumed> all{
      {"products",
       "2 N^3 operations, all of the same time: nothing of caches, and the sum's N^2 adds left out"},
      {"B",
       "every process has all of it, and room for it; a product dealt out in blocks (SUMMA) would send less"},
      {"rows", "dealt out in whole rows; all wait for the process that has most"},
      {"shared-memory",
       "processes do not slow one another down at memory; the parent starts them one by one"},
      {"lock", "all processes come to it at the same time, after the barrier"},
      {"messages", "processes run already; A and B begin, and C ends, in the memory of one"},
      {"network", "each rank sends at beta whoever else does: no shared links; nothing overlaps or fails"}};
  if (!gpu.name.empty()) {
    all.push_back({"gpus", "products at the peak of fp32 (of fp64 with --word 8), with a launch of the "
                           "product and one of the sum: no time is less"});
    all.push_back({"gpus", "every GPU has a host link of its own, and messages go by the network"});
  }
  return {std::move(all)};
}

std::string SharedMemory::verdict(const Gpu&, const SharedMemory::Input& in, const Tables& tables) {
  const auto& [rows, scalings, parts] = tables;
  const Row& r = rows.front();
  std::string text =
      fmt::format("{} in shared memory {} {} for {}, {} times as fast as one: {} efficient.",
                  in_words(in.processes, "threads"), in.processes == 1 ? "takes" : "take", in_words(r.time),
                  in_words(in.n, "rows"), in_words(r.speedup), in_percent(r.efficiency));
  return text + fmt::format(" By messages {}, {} efficient{}.", in_words(rows[1].time),
                            in_percent(rows[1].efficiency),
                            rows.size() < 3 ? std::string()
                                            : fmt::format("; on {} {}", in_words(in.processes, "GPUs"),
                                                          in_words(rows[2].time)));
}

template SharedMemory::Tables SharedMemory::predict(const Gpu&, const SharedMemory::Input&, Plain&);
template SharedMemory::Tables SharedMemory::predict(const Gpu&, const SharedMemory::Input&, Recorder&);
template std::tuple<std::vector<SharedMemory::Assumed>>
SharedMemory::machine(const Gpu&, const SharedMemory::Input&, Plain&);
template std::tuple<std::vector<SharedMemory::Assumed>>
SharedMemory::machine(const Gpu&, const SharedMemory::Input&, Recorder&);

} // namespace perfmodel
