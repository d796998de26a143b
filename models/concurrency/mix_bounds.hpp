// What a mix of single instructions takes of an SM: of its issue slots, and of every set of pipes that could
// be the busiest. instruction_throughput.hpp has the equation.
#pragma once

#include "instruction_class.hpp"
#include "pipes.hpp"

#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfmodel {

template <class T> using CyclesOf = decltype(std::declval<T&>().number(Cycles()));
template <class T> using RateOf = decltype(std::declval<T&>().number(PerCycle()));
template <class T> using CountOf = decltype(std::declval<T&>().number(Count()));

// Results per clock; absent where the device's files do not tell, and no rule carries them over.
template <class T> std::optional<RateOf<T>> throughput(const Gpu& gpu, const InstructionClass& c, T& trace) {
  for (const Key<PerCycle>* key : {c.throughput, c.otherwise})
    if (key != nullptr && gpu.record(*key) != nullptr) return trace.fact(gpu, *key);
  if (c.kind == InstructionKind::shared && gpu.record(facts::shared_banks) != nullptr &&
      gpu.record(facts::shared_cycles_per_request) != nullptr)
    return trace.define(fmt::format("throughput({})", c.name), "words per clock from the banks",
                        trace.fact(gpu, facts::shared_banks) /
                            trace.fact(gpu, facts::shared_cycles_per_request));
  if (c.throughput != nullptr && gpu.has_cost(*c.throughput)) return trace.cost(gpu, *c.throughput);
  return std::nullopt;
}

// Cycles that a warp's instruction occupies its pipe. Absent where it needs an issue slot alone; throws
// InputError where the throughput is missing.
template <class T>
std::optional<CyclesOf<T>> cycles_per_warp(const Gpu& gpu, const InstructionClass& c, T& trace) {
  auto rate = throughput(gpu, c, trace);
  if (!rate && c.kind == InstructionKind::slot) return std::nullopt;
  if (!rate) rate = trace.fact(gpu, *c.throughput); // the sentence
  const auto threads = trace.fact(gpu, facts::warp_size);
  if (c.results() == 1) return trace.define(fmt::format("t({})", c.name), "cycles per warp", threads / *rate);
  return trace.define(fmt::format("t({})", c.name), "cycles per warp",
                      trace.number(c.results()) * threads / *rate);
}

// One class of a mix.
template <class T> struct Load {
  std::string name;
  CountOf<T> count; // of one mix
  std::optional<CyclesOf<T>> cycles;
  PipeUse use;
};

template <class Sum> void add_to(std::optional<Sum>& sum, const Sum& more) { sum = sum ? *sum + more : more; }

template <class T> std::optional<CountOf<T>> count_of(const std::vector<Load<T>>& loads) {
  std::optional<CountOf<T>> all;
  for (const Load<T>& load : loads) add_to(all, load.count);
  return all;
}

// What a class that waits in a queue for its pipe, or goes through it several times, takes of the scheduler
// beside its slot; nullptr: it does neither.
inline const Key<Cycles>* beside_slot(const Gpu& gpu, std::string_view name, const PipeUse& use) {
  if (name == "imulhi" && gpu.has_cost(facts::issue_high_product)) return &facts::issue_high_product;
  if (use.pipes.count("xu") != 0) return &facts::issue_queued_special;
  return use.pipes.count("lsu") != 0 ? &facts::issue_queued_shared : nullptr;
}

// Cycles of a scheduler for one warp's mix.
template <class T> CyclesOf<T> slots_of(const Gpu& gpu, const std::vector<Load<T>>& loads, T& trace) {
  auto slots = *count_of<T>(loads) * trace.fact(gpu, facts::issue_interval);
  for (const Load<T>& load : loads)
    if (const Key<Cycles>* beside = beside_slot(gpu, load.name, load.use); beside)
      slots = slots + load.count * trace.cost(gpu, *beside);
  return slots;
}

// What the classes that can only run on these pipes, or must run on some of them, take of them.
template <class T>
std::optional<CyclesOf<T>> busy(const Gpu& gpu, const Pipes& pipes, const PipeSet& set,
                                const std::vector<Load<T>>& loads, T& trace) {
  std::optional<CyclesOf<T>> sum;
  for (const Load<T>& load : loads) {
    if (!load.cycles) continue;
    PipeSet inside;
    for (const std::string& pipe : load.use.pipes)
      if (set.count(pipe) != 0) inside.insert(pipe);
    if (inside.empty() || (!load.use.together && inside != load.use.pipes)) continue;
    const auto share = pipes.ratio(gpu, inside, set);
    if (!share) return std::nullopt;
    const auto cycles = load.count * *load.cycles;
    add_to(sum, *share == 1 ? cycles : trace.number(*share) * cycles);
  }
  return sum;
}

struct BusyPipe {
  std::string pipe; // "issue slots", or pipes by name
  Cycles cycles;
};

// The cycles of a mix: by issue, and by each set of pipes that could bind.
template <class T> struct Bounds {
  CyclesOf<T> time;
  std::string binds = "issue slots";
  std::vector<BusyPipe> pipes;
};

template <class T>
Bounds<T> bounds_of(const Gpu& gpu, const Pipes& pipes, const std::vector<Load<T>>& loads,
                    std::string_view label, bool single_issue, T& trace) {
  const auto schedulers = trace.fact(gpu, facts::schedulers);
  const auto dispatches =
      single_issue ? trace.number(Count(1)) : trace.fact(gpu, facts::dispatch_per_scheduler);
  const auto issue =
      trace.define(fmt::format("issue{}", label), "cycles that the schedulers need to issue it",
                   slots_of(gpu, loads, trace) / (schedulers * dispatches));
  Bounds<T> bounds{.time = issue};
  bounds.pipes.push_back({bounds.binds, value_of(issue)});
  std::vector<PipeSet> sets;
  for (const Load<T>& load : loads) {
    if (!load.cycles) continue;
    sets.push_back(load.use.pipes);
    if (load.use.together)
      for (const std::string& pipe : load.use.pipes) sets.push_back({pipe});
  }
  for (const PipeSet& set : Pipes::unions(std::move(sets))) {
    const auto sum = busy(gpu, pipes, set, loads, trace);
    if (!sum) continue;
    const auto cycles = trace.define(fmt::format("{}{}", name_of(set), label), "cycles of this pipe", *sum);
    bounds.pipes.push_back({name_of(set), value_of(cycles)});
    if (value_of(bounds.time) < value_of(cycles)) bounds.binds = name_of(set);
    bounds.time = greater(bounds.time, cycles);
  }
  return bounds;
}

} // namespace perfmodel
