#include "instruction_throughput.hpp"

#include "models/core/in_words.hpp"

#include "functions.hpp"
#include "instruction_latency.hpp"
#include "mix_bounds.hpp"

#include <fmt/format.h>

namespace perfmodel {

namespace {

// Throws InputError with the option's name.
const InstructionClass& class_asked_for(const std::string& name) {
  try {
    return instruction_class(name);
  } catch (const InputError& e) {
    throw InputError(fmt::format("--class: {}", e.what()));
  }
}

std::string pipe_name(const PipeUse& use) {
  return fmt::format("{}", fmt::join(use.pipes, use.together ? " and " : " or "));
}

std::string text_of(const std::vector<MixPart>& mix) {
  std::string text;
  for (const MixPart& part : mix)
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", part.instruction->name, part.count);
  return text;
}

template <class T> Cycles latency(const Gpu& gpu, const InstructionClass& c, T& trace) {
  const Key<Cycles>* key = latency_of(c);
  return key == nullptr || !gpu.find(*key) ? Cycles(absent) : value_of(trace.fact(gpu, *key));
}

template <class T>
Load<T> load_of(const Gpu& gpu, const Pipes& pipes, const MixPart& part, const CountOf<T>& count, T& trace) {
  return {std::string(part.instruction->name), count, cycles_per_warp(gpu, *part.instruction, trace),
          pipes.of(part.instruction->name)};
}

// Loads of a mix by itself.
template <class T>
std::vector<Load<T>> loads_of(const Gpu& gpu, const Pipes& pipes, const std::vector<MixPart>& mix,
                              std::string_view label, T& trace) {
  std::vector<Load<T>> loads;
  for (const MixPart& part : mix)
    loads.push_back(load_of(gpu, pipes, part,
                            trace.input(fmt::format("N{}({})", label, part.instruction->name), part.count),
                            trace));
  return loads;
}

// A function's results per clock from the instructions it is made of; absent where the device's files do not
// tell them all.
template <class T>
std::optional<PerCycle> by_instructions(const Gpu& gpu, const Pipes& pipes, std::string_view name,
                                        const std::vector<MixPart>& made_of, T& trace) {
  Plain plain;
  for (const MixPart& part : made_of)
    if (part.instruction->kind != InstructionKind::slot && !throughput(gpu, *part.instruction, plain))
      return std::nullopt;
  trace.say(name, "instructions it is made of", text_of(made_of));
  const std::string label = fmt::format(" of {}", name);
  const auto loads = loads_of(gpu, pipes, made_of, label, trace);
  const Bounds<T> bounds = bounds_of(gpu, pipes, loads, label, false, trace);
  const auto time =
      trace.define(fmt::format("t({})", name), "cycles per warp of all its instructions", bounds.time);
  return value_of(trace.define(fmt::format("throughput({})", name), "results per clock",
                               trace.fact(gpu, facts::warp_size) / time));
}

template <class T>
std::optional<InstructionThroughput::Class> class_row(const Gpu& gpu, const Pipes& pipes,
                                                      const Functions& functions, const InstructionClass& c,
                                                      T& trace) {
  const std::vector<MixPart>* made_of = functions.of(c.name);
  const bool own = c.throughput != nullptr && gpu.record(*c.throughput) != nullptr;
  const bool derived = !own && made_of != nullptr; // before the row of a class that covers it
  std::optional<PerCycle> results;
  if (derived)
    results = by_instructions(gpu, pipes, c.name, *made_of, trace);
  else if (const auto known = throughput(gpu, c, trace))
    results = value_of(*known);
  if (!results) return std::nullopt;
  InstructionThroughput::Class row{.name = std::string(c.name),
                                   .meaning = std::string(c.meaning),
                                   .throughput = *results,
                                   .cycles = gpu.at(facts::warp_size).value * c.results() / *results,
                                   .latency = latency(gpu, c, trace)};
  if (derived)
    row.pipe = "sum of instructions";
  else if (made_of == nullptr && c.kind != InstructionKind::function)
    row.pipe = pipe_name(pipes.of(c.name));
  return row;
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

constexpr const char* usual_mix = "ffma:8,iadd:4";
constexpr const char* usual_overhead = "iadd:1,compare:1,branch:1";

Pipes pipes_of(const Gpu& gpu) { return Pipes(gpu.at(facts::pipes).value); }

} // namespace

template <class T>
InstructionThroughput::Machine InstructionThroughput::machine(const Gpu& gpu, const Input& in, T& trace) {
  const Pipes pipes = pipes_of(gpu);
  const Functions functions = functions_of(gpu);
  Machine machine;
  auto& classes = std::get<0>(machine); // no structured binding: clang 14 cannot capture one
  auto& advice = std::get<1>(machine);
  Plain plain;
  std::string unknown, lacking;
  const auto list = [](std::string& names, std::string_view name) {
    names += (names.empty() ? "" : ", ") + std::string(name);
  };
  const auto add = [&](std::optional<Class> row) {
    if (!row) return false;
    classes.push_back(*std::move(row));
    return true;
  };
  if (in.only != "all") { // its facts are asked for: where one is missing, its sentence
    const InstructionClass& c = class_asked_for(in.only);
    if (!add(class_row(gpu, pipes, functions, c, trace)) && c.throughput != nullptr) gpu.at(*c.throughput);
  } else {
    for (const InstructionClass& c : instruction_classes()) { // of them all, what was set is explained
      if (add(is_set(gpu, c) ? class_row(gpu, pipes, functions, c, trace)
                             : class_row(gpu, pipes, functions, c, plain)) ||
          c.throughput == nullptr)
        continue;
      list(gpu.lacks.count(c.throughput->path) != 0 ? lacking : unknown, c.name);
    }
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
  if (gpu.record(facts::throughput_fp32_mad_shared) != nullptr)
    advice.push_back({"shared operands", "an instruction takes one operand from shared memory at most: a "
                                         "second one is loaded to a register first"});
  if (!lacking.empty()) advice.push_back({"not there", "this GPU has no units for " + lacking});
  if (!unknown.empty()) advice.push_back({"left out", "no fact says how fast: " + unknown});
  return machine;
}

template <class T>
InstructionThroughput::Tables InstructionThroughput::predict(const Gpu& gpu, const Input& in, T& trace) {
  const std::string mix_text = in.mix != "auto" ? in.mix : in.only == "all" ? usual_mix : in.only + ":1";
  const std::string loop_text = in.overhead != "auto"                  ? in.overhead
                                : in.mix == "auto" && in.only != "all" ? "none"
                                                                       : usual_overhead;
  const Functions functions = functions_of(gpu);
  const std::vector<MixPart> given = parse_mix("--mix", mix_text);
  if (in.mix == "auto" && given[0].instruction->kind == InstructionKind::function &&
      functions.of(in.only) == nullptr)
    return {}; // its rate is known, what it is made of is not
  const std::vector<MixPart> mix = functions.expanded("--mix", given);
  const std::vector<MixPart> loop =
      loop_text == "none" ? std::vector<MixPart>{}
                          : functions.expanded("--overhead", parse_mix("--overhead", loop_text));
  for (const MixPart& part : given)
    if (const std::vector<MixPart>* made_of = functions.of(part.instruction->name))
      trace.say(part.instruction->name, "instructions it is made of", text_of(*made_of));
  const Pipes pipes = pipes_of(gpu);
  std::vector<Load<T>> loads = loads_of(gpu, pipes, mix, "", trace);
  const Bounds<T> without = bounds_of(gpu, pipes, loads, " without loop", false, trace);

  const auto unroll = trace.input("unroll", in.unroll);
  for (const MixPart& part : loop)
    loads.push_back(
        load_of(gpu, pipes, part,
                trace.input(fmt::format("N_loop({})", part.instruction->name), part.count) / unroll, trace));
  const Bounds<T> with = bounds_of(gpu, pipes, loads, "", false, trace);
  const auto time = trace.define("T", "cycles an SM takes for a mix of one warp", with.time);

  Mix row{.mix = mix_text,
          .overhead = loop_text,
          .unroll = in.unroll,
          .instructions = value_of(*count_of<T>(loads)),
          .cycles = value_of(time),
          .without_loop = value_of(without.time),
          .binds = with.binds};
  row.loop_share = 1 - row.without_loop / row.cycles;
  trace.say("bound", "what takes longest", row.binds);
  if (gpu.at(facts::dispatch_per_scheduler).value > 1)
    row.single_issue = value_of(bounds_of(gpu, pipes, loads, " in single issue", true, trace).time);
  Tables tables;
  auto& [mixes, rows] = tables;
  for (const BusyPipe& pipe : with.pipes)
    rows.push_back({.pipe = pipe.pipe, .cycles = pipe.cycles, .share = pipe.cycles / row.cycles});
  mixes.push_back(std::move(row));
  return tables;
}

const void* InstructionThroughput::said(const Input&, const Tables& rows, const Machine& machine) {
  const std::vector<Mix>& mixes = std::get<0>(rows);
  const std::vector<Class>& classes = std::get<0>(machine);
  if (mixes.empty()) return classes.empty() ? nullptr : &classes.front().cycles;
  return &mixes.front().cycles;
}

std::string InstructionThroughput::verdict(const Gpu&, const Input&, const Tables& rows,
                                           const Machine& machine) {
  const std::vector<Mix>& mixes = std::get<0>(rows);
  const std::vector<Class>& classes = std::get<0>(machine);
  if (mixes.empty() && classes.empty()) return "";
  if (mixes.empty()) {
    const Class& c = classes.front();
    return fmt::format("One {} of a warp takes an SM {}: {} results a cycle.", c.name,
                       in_words(c.cycles, "cycles"), in_words(c.throughput.value));
  }
  const Mix& mix = mixes.front();
  std::string text = fmt::format("A warp's {} takes an SM {}, bound by {}", shortened(mix.mix),
                                 in_words(mix.cycles.value, "cycles"), mix.binds);
  if (mix.loop_share > 0.005) text += fmt::format("; the loop takes {} of that", in_percent(mix.loop_share));
  return text + ".";
}

template InstructionThroughput::Machine InstructionThroughput::machine(const Gpu&, const Input&, Plain&);
template InstructionThroughput::Machine InstructionThroughput::machine(const Gpu&, const Input&, Recorder&);
template InstructionThroughput::Tables InstructionThroughput::predict(const Gpu&, const Input&, Plain&);
template InstructionThroughput::Tables InstructionThroughput::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
