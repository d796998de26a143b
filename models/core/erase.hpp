// From a model's declaration to the Model that the registry lists: its options, its outputs, and its sweep,
// written once for all models.
#pragma once

#include "filling.hpp"
#include "refused.hpp"
#include "trace.hpp"

namespace perfmodel {

namespace detail {

inline std::size_t grid_size(const Request& request) {
  std::size_t size = 1;
  for (const Axis& axis : request.inputs) size *= axis.values.size();
  for (const Axis& axis : request.facts) size *= axis.values.size();
  return size;
}

// Calls `visit(values)` for every point of the grid, the first axis varying slowest.
template <class Visit> void for_each_point(std::span<const Axis> axes, Visit visit) {
  std::vector<std::size_t> at(axes.size(), 0);
  std::vector<Value> values;
  for (const Axis& axis : axes) values.push_back(axis.values.front());
  while (true) {
    visit(std::span<const Value>(values));
    std::size_t a = axes.size();
    while (a > 0 && ++at[a - 1] == axes[a - 1].values.size()) {
      at[a - 1] = 0;
      values[a - 1] = axes[a - 1].values.front();
      --a;
    }
    if (a == 0) return;
    values[a - 1] = axes[a - 1].values[at[a - 1]];
  }
}

// What a derivation rests on, for the last lines of an answer.
void note_origins(Result& result, const Derivation& derivation);

// A model with tables that describe the machine whatever the point of the sweep, such as a roofline's
// ceilings.
template <class M>
concept DescribesMachine = requires(const Gpu& gpu, const typename M::Input& input, Plain& trace) {
  M::machine(gpu, input, trace);
};

// Words choose what is shown of the machine; numbers only move the point on it, but for those that the model
// lists.
template <class M> bool shapes_machine(const Option& option) {
  if (option.kind == OptionKind::choice) return true;
  if constexpr (requires { M::machine_inputs; })
    return std::find(M::machine_inputs.begin(), M::machine_inputs.end(), option.name) !=
           M::machine_inputs.end();
  return false;
}

// Numbers that are asked of the machine alone: keys of its tables, not of the points. A model that lists them
// keeps its machine's tables out of a sweep that does not ask.
template <class M> constexpr bool asked_on_demand = requires { M::machine_questions; };
template <class M> bool asks_machine([[maybe_unused]] std::string_view input) {
  if constexpr (asked_on_demand<M>)
    return std::find(M::machine_questions.begin(), M::machine_questions.end(), input) !=
           M::machine_questions.end();
  return false;
}
template <class M> bool shows_machine(const Request& request) {
  return !asked_on_demand<M> || grid_size(request) == 1 ||
         std::any_of(request.inputs.begin(), request.inputs.end(),
                     [](const Axis& axis) { return asks_machine<M>(axis.name); });
}

template <class Input> Input input_of(const Request& request, std::span<const Value> values) {
  Input input;
  for (std::size_t i = 0; i < values.size(); ++i) set_input(input, request.inputs[i].name, values[i]);
  return input;
}

inline Gpu gpu_of(Gpu gpu, const Request& request, std::span<const Value> facts) {
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const std::string& path = request.facts[i].name;
    gpu = facts[i].text.empty() ? with_fact(std::move(gpu), path, facts[i].number)
                                : with_fact(std::move(gpu), path, std::string_view(facts[i].text));
  }
  return gpu;
}

// The next point's values in place: copying a device at every point of a sweep would cost more than the
// model.
inline void move_facts(Gpu& gpu, const Request& request, std::span<const Value> facts) {
  for (std::size_t i = 0; i < facts.size(); ++i) {
    FactRecord& record = gpu.facts.find(request.facts[i].name)->second;
    if (!facts[i].text.empty())
      record.text = facts[i].text;
    else
      record.values.front() = facts[i].number;
  }
}

template <class M> Result run(const Model& model, std::span<const Gpu> gpus, const Request& request) {
  using Input = typename M::Input;
  Result result{
      .kind = Kind::predicted, .model = std::string(M::info.name), .title = std::string(M::info.summary)};

  const bool machine_shown = !request.points_only && shows_machine<M>(request);
  Request words{.facts = request.facts}, moves{.facts = request.facts};
  for (const Axis& axis : request.inputs) {
    const bool asked = asks_machine<M>(axis.name);
    if (asked || shapes_machine<M>(*model.find(axis.name))) words.inputs.push_back(axis);
    if (!asked) moves.inputs.push_back(axis);
  }
  const auto rows_of = [](const Gpu& gpu, const Input& input, auto& trace) {
    return as_tables(M::predict(gpu, input, trace));
  };
  const auto machine_of = [](const Gpu& gpu, const Input& input, auto& trace) {
    if constexpr (DescribesMachine<M>)
      return as_tables(M::machine(gpu, input, trace));
    else
      return std::tuple<>{};
  };
  Plain plain;
  Fillings<decltype(machine_of(gpus[0], Input{}, plain))> machine(model, words,
                                                                  gpus.size() * grid_size(words));
  Fillings<decltype(rows_of(gpus[0], Input{}, plain))> points(model, moves, gpus.size() * grid_size(moves));
  Refused refused;
  for (const Gpu& device : gpus) {
    bool first = true;
    for (const Axis& axis : request.facts) // every value is checked once, not at every point of the grid
      for (const Value& value : axis.values)
        if (value.text.empty()) with_fact(Gpu{}, axis.name, value.number);
    std::vector<Value> start;
    for (const Axis& axis : request.facts) start.push_back(axis.values.front());
    Gpu gpu = gpu_of(device, request, start);
    for_each_point(request.facts, [&](std::span<const Value> facts) {
      move_facts(gpu, request, facts);
      if (machine_shown)
        for_each_point(words.inputs, [&](std::span<const Value> inputs) {
          machine.add(machine_of(gpu, input_of<Input>(words, inputs), plain), gpu, facts, words, inputs);
        });
      for_each_point(moves.inputs, [&](std::span<const Value> inputs) {
        const Input input = input_of<Input>(moves, inputs);
        ++refused.of;
        try {
          if (!first) {
            points.add(rows_of(gpu, input, plain), gpu, facts, moves, inputs);
            return;
          }
          Recorder recorder; // the first point is explained
          recorder.derivation.title = gpu.name;
          if (machine_shown) machine_of(gpu, input, recorder);
          points.add(rows_of(gpu, input, recorder), gpu, facts, moves, inputs);
          first = false;
          note_origins(result, recorder.derivation);
          if (request.explain) result.derivations.push_back(std::move(recorder.derivation));
        } catch (const LaunchError& e) {
          refused.add(e);
          if constexpr (ShowsRefused<M>)
            points.add(as_tables(M::refused(gpu, input)), gpu, facts, moves, inputs);
        }
      });
    });
  }
  machine.keep(result);
  points.keep(result);
  refused.tell(result, ShowsRefused<M>);
  return result;
}

template <class... Rows> void add_outputs(Model& model, const std::tuple<std::vector<Rows>...>&) {
  const auto add = [&](const auto& fields) {
    std::apply([&](const auto&... field) { (model.outputs.emplace_back(field.name), ...); }, fields);
  };
  (add(Rows::fields()), ...);
}

template <class M> void list_outputs(Model& model) {
  using Rows = decltype(as_tables(M::predict(
      std::declval<const Gpu&>(), std::declval<const typename M::Input&>(), std::declval<Plain&>())));
  add_outputs(model, Rows{});
  if constexpr (DescribesMachine<M>) {
    using Machine = decltype(as_tables(M::machine(
        std::declval<const Gpu&>(), std::declval<const typename M::Input&>(), std::declval<Plain&>())));
    add_outputs(model, Machine{});
  }
}

} // namespace detail

template <class M> Model erase() {
  Model model;
  model.info = M::info;
  std::apply([&](const auto&... field) { (model.options.push_back(detail::option_of(field)), ...); },
             M::Input::fields());
  detail::list_outputs<M>(model);
  model.run = [](const Model& self, std::span<const Gpu> gpus, const Request& request) {
    return detail::run<M>(self, gpus, request);
  };
  if constexpr (requires(const Gpu& gpu, const typename M::Input& input) { M::tolerance(gpu, input); })
    model.tolerance = [](const Model&, const Gpu& gpu, const Request& request) {
      std::vector<Value> first;
      for (const Axis& axis : request.inputs) first.push_back(axis.values.front());
      return M::tolerance(gpu, detail::input_of<typename M::Input>(request, first));
    };
  return model;
}

} // namespace perfmodel
