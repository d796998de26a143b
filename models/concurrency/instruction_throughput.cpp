#include "instruction_throughput.hpp"

#include "instruction_latency.hpp"
#include "instruction_mix.hpp"
#include "pipes.hpp"

#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <optional>

namespace perfmodel {

namespace {

template <class T> using CyclesOf = decltype(std::declval<T&>().number(Cycles()));
template <class T> using RateOf = decltype(std::declval<T&>().number(PerCycle()));
template <class T> using CountOf = decltype(std::declval<T&>().number(Count()));

// Results per clock; absent where the device's files do not tell.
template <class T> std::optional<RateOf<T>> throughput(const Gpu& gpu, const InstructionClass& c, T& trace) {
  for (const Key<PerCycle>* key : {c.throughput, c.otherwise})
    if (key != nullptr && gpu.record(key->path) != nullptr) return trace.fact(gpu, *key);
  if (c.kind == InstructionKind::shared && gpu.record(facts::shared_banks.path) != nullptr &&
      gpu.record(facts::shared_cycles_per_request.path) != nullptr)
    return trace.define(fmt::format("throughput({})", c.name), "words per clock from the banks",
                        trace.fact(gpu, facts::shared_banks) /
                            trace.fact(gpu, facts::shared_cycles_per_request));
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

// The cycles of a mix: by issue, and by each set of pipes that could bind.
template <class T> struct Bounds {
  CyclesOf<T> time;
  std::string binds = "issue slots";
  std::vector<InstructionThroughput::Pipe> pipes;
};

template <class T>
Bounds<T> bounds_of(const Gpu& gpu, const Pipes& pipes, const std::vector<Load<T>>& loads, const char* label,
                    bool single_issue, T& trace) {
  const auto schedulers = trace.fact(gpu, facts::schedulers);
  const auto interval = trace.fact(gpu, facts::issue_interval);
  const auto dispatches =
      single_issue ? trace.number(Count(1)) : trace.fact(gpu, facts::dispatch_per_scheduler);
  const auto issue =
      trace.define(fmt::format("issue{}", label), "cycles that the schedulers need to issue it",
                   *count_of<T>(loads) * interval / (schedulers * dispatches));
  Bounds<T> bounds{.time = issue};
  bounds.pipes.push_back({.pipe = bounds.binds, .cycles = value_of(issue)});
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
    bounds.pipes.push_back({.pipe = name_of(set), .cycles = value_of(cycles)});
    if (value_of(bounds.time) < value_of(cycles)) bounds.binds = name_of(set);
    bounds.time = greater(bounds.time, cycles);
  }
  for (InstructionThroughput::Pipe& p : bounds.pipes) p.share = p.cycles / value_of(bounds.time);
  return bounds;
}

std::string pipe_name(const PipeUse& use) {
  return fmt::format("{}", fmt::join(use.pipes, use.together ? " and " : " or "));
}

template <class T> Cycles latency(const Gpu& gpu, const InstructionClass& c, T& trace) {
  const Key<Cycles>* key = latency_of(c);
  return key == nullptr || !gpu.find(*key) ? Cycles(absent) : value_of(trace.fact(gpu, *key));
}

template <class T>
std::optional<InstructionThroughput::Class> class_row(const Gpu& gpu, const Pipes& pipes,
                                                      const InstructionClass& c, T& trace) {
  const auto rate = throughput(gpu, c, trace);
  if (!rate) return std::nullopt;
  const PerCycle results = value_of(*rate);
  return InstructionThroughput::Class{
      .name = std::string(c.name),
      .meaning = std::string(c.meaning),
      .pipe = c.kind == InstructionKind::function ? "" : pipe_name(pipes.of(c.name)),
      .throughput = results,
      .cycles = gpu.at(facts::warp_size).value * c.results() / results,
      .latency = latency(gpu, c, trace)};
}

bool is_set(const Gpu& gpu, std::string_view path) {
  const FactRecord* record = gpu.record(path);
  return record != nullptr && record->layer == Layer::set;
}
bool is_set(const Gpu& gpu, const InstructionClass& c) {
  const Key<Cycles>* latency = latency_of(c);
  return (c.throughput != nullptr && is_set(gpu, c.throughput->path)) ||
         (c.otherwise != nullptr && is_set(gpu, c.otherwise->path)) ||
         (latency != nullptr && is_set(gpu, latency->path));
}

Pipes pipes_of(const Gpu& gpu) { return Pipes(gpu.at(facts::pipes).value); }

} // namespace

template <class T>
InstructionThroughput::Machine InstructionThroughput::machine(const Gpu& gpu, const Input& in, T& trace) {
  const Pipes pipes = pipes_of(gpu);
  Machine machine;
  auto& classes = std::get<0>(machine); // no structured binding: clang 14 cannot capture one
  auto& advice = std::get<1>(machine);
  Plain plain;
  std::string unknown;
  const auto add = [&](std::optional<Class> row) {
    if (!row) return false;
    classes.push_back(*std::move(row));
    return true;
  };
  if (in.only != "all") { // its facts are asked for: where one is missing, its sentence
    const InstructionClass& c = instruction_class(in.only);
    if (c.throughput != nullptr && !throughput(gpu, c, plain)) gpu.at(*c.throughput);
    add(class_row(gpu, pipes, c, trace));
  } else {
    for (const InstructionClass& c : instruction_classes()) // of them all, what was set is explained
      if (!add(is_set(gpu, c) ? class_row(gpu, pipes, c, trace) : class_row(gpu, pipes, c, plain)) &&
          c.throughput != nullptr)
        unknown += (unknown.empty() ? "" : ", ") + std::string(c.name);
  }
  const double dispatches = value_of(trace.fact(gpu, facts::dispatch_per_scheduler));
  if (dispatches > 1)
    advice.push_back({"dual issue",
                      "a scheduler issues two instructions at once only where neighbours in one "
                      "warp are independent"});
  if (const auto threads = gpu.find(facts::register_bank_threads))
    advice.push_back({"register banks", fmt::format("choose blocks of a multiple of {:.0f} threads: others "
                                                    "meet conflicts of register banks",
                                                    threads->value)});
  if (gpu.record(facts::throughput_fp32_mad_shared.path) != nullptr)
    advice.push_back({"shared operands", "an instruction takes one operand from shared memory at most: a "
                                         "second one is loaded to a register first"});
  if (!unknown.empty())
    advice.push_back({"left out", "not on this GPU, or no fact says how fast: " + unknown});
  return machine;
}

template <class T>
InstructionThroughput::Tables InstructionThroughput::predict(const Gpu& gpu, const Input& in, T& trace) {
  const std::vector<MixPart> mix = parse_mix("mix", in.mix);
  const std::vector<MixPart> loop =
      in.overhead == "none" ? std::vector<MixPart>{} : parse_mix("overhead", in.overhead);
  std::vector<Load<T>> loads;
  const auto add = [&](const MixPart& part, const CountOf<T>& count) {
    loads.push_back({std::string(part.instruction->name), count,
                     cycles_per_warp(gpu, *part.instruction, trace), PipeUse{}});
  };
  for (const MixPart& part : mix)
    add(part, trace.input(fmt::format("N({})", part.instruction->name), part.count));
  const Pipes pipes = pipes_of(gpu);
  for (Load<T>& load : loads) load.use = pipes.of(load.name);
  const Bounds<T> without = bounds_of(gpu, pipes, loads, " without loop", false, trace);

  const auto unroll = trace.input("unroll", in.unroll);
  for (const MixPart& part : loop) {
    add(part, trace.input(fmt::format("N_loop({})", part.instruction->name), part.count) / unroll);
    loads.back().use = pipes.of(part.instruction->name);
  }
  Bounds<T> with = bounds_of(gpu, pipes, loads, "", false, trace);
  const auto time = trace.define("T", "cycles an SM takes for a mix of one warp", with.time);

  Mix row{.mix = in.mix,
          .overhead = in.overhead,
          .unroll = in.unroll,
          .instructions = value_of(*count_of<T>(loads)),
          .cycles = value_of(time),
          .without_loop = value_of(without.time),
          .binds = with.binds};
  row.loop_share = 1 - row.without_loop / row.cycles;
  trace.say("bound", "what takes longest", row.binds);
  if (gpu.at(facts::dispatch_per_scheduler).value > 1)
    row.single_issue = value_of(bounds_of(gpu, pipes, loads, " in single issue", true, trace).time);
  return {{std::move(row)}, std::move(with.pipes)};
}

template InstructionThroughput::Machine InstructionThroughput::machine(const Gpu&, const Input&, Plain&);
template InstructionThroughput::Machine InstructionThroughput::machine(const Gpu&, const Input&, Recorder&);
template InstructionThroughput::Tables InstructionThroughput::predict(const Gpu&, const Input&, Plain&);
template InstructionThroughput::Tables InstructionThroughput::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
