// From a model's declaration to the Model that the registry lists: its options, its outputs, and its sweep.
#pragma once

#include "grading.hpp"
#include "refused.hpp"
#include "sweep.hpp"

#include <concepts>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace perfmodel {

namespace detail {

// A model with tables that describe the machine whatever the point of the sweep, such as a roofline's
// ceilings.
template <class M>
concept DescribesMachine = requires(const Gpu& gpu, const typename M::Input& input, Plain& trace) {
  M::machine(gpu, input, trace);
};

template <class M>
using PointAnswer = decltype(M::predict(std::declval<const Gpu&>(), std::declval<const typename M::Input&>(),
                                        std::declval<Plain&>()));

// The verdict of a point is made of its rows, and of the machine's tables where a model wants them too: those
// are empty where a sweep has none.
template <class M>
concept SaysVerdict = requires(const Gpu& gpu, const typename M::Input& input, const PointAnswer<M>& rows) {
  { M::verdict(gpu, input, rows) } -> std::same_as<std::string>;
};
template <class M>
concept SaysVerdictWithMachine = requires(const Gpu& gpu, const typename M::Input& input, Plain& trace,
                                          const PointAnswer<M>& rows) {
  { M::verdict(gpu, input, rows, as_tables(M::machine(gpu, input, trace))) } -> std::same_as<std::string>;
};

// What predict returned, from the tuple of vectors that it has become.
template <class Answer, class Tables> const Answer& as_answer(const Tables& tables) {
  if constexpr (std::is_same_v<Answer, Tables>)
    return tables;
  else if constexpr (std::is_same_v<Answer, std::tuple_element_t<0, Tables>>)
    return std::get<0>(tables);
  else
    return std::get<0>(tables).front();
}

template <class M> struct AskedModel final : Asked {
  using Input = typename M::Input;
  using Points = decltype(as_tables(std::declval<PointAnswer<M>>()));
  template <class T> static auto machine_of(const Gpu& gpu, const Input& input, T& trace) {
    if constexpr (DescribesMachine<M>)
      return as_tables(M::machine(gpu, input, trace));
    else
      return std::tuple<>{};
  }
  using Machine =
      decltype(machine_of(std::declval<const Gpu&>(), std::declval<const Input&>(), std::declval<Plain&>()));

  AskedModel() {
    describes_machine = DescribesMachine<M>;
    shows_refused = ShowsRefused<M>;
    if constexpr (requires { M::machine_inputs; }) machine_inputs = M::machine_inputs;
    if constexpr (requires { M::machine_questions; }) machine_questions = M::machine_questions;
  }

  std::vector<Filling> machine_tables(const Model& model, const Request& request,
                                      std::size_t points) const override {
    return Fillings<Machine>::empty(model, request, points);
  }
  std::vector<Filling> point_tables(const Model& model, const Request& request,
                                    std::size_t points) const override {
    return Fillings<Points>::empty(model, request, points);
  }
  void set_input(const Request& request, std::span<const Value> values) override {
    input = Input{};
    for (std::size_t i = 0; i < values.size(); ++i)
      detail::set_input(input, request.inputs[i].name, values[i]);
  }
  void add_machine(std::vector<Filling>& tables, const Place& place) override {
    const auto ask = [&](auto& trace) { return machine_of(place.gpu, input, trace); };
    described.push_back(add(tables, place, ask, nullptr, std::type_identity<Fillings<Machine>>()));
  }
  void forget_machine() override { described.clear(); }
  void explain_machine(const Gpu& gpu, Recorder& recorder) override { machine_of(gpu, input, recorder); }
  void add_point(std::vector<Filling>& tables, const Place& place, Recorder* recorder) override {
    const auto ask = [&](auto& trace) { return as_tables(M::predict(place.gpu, input, trace)); };
    found = add(tables, place, ask, recorder, std::type_identity<Fillings<Points>>());
  }
  bool add_refused([[maybe_unused]] std::vector<Filling>& tables,
                   [[maybe_unused]] const Place& place) override {
    if constexpr (ShowsRefused<M>)
      if (auto rows = M::refused(place.gpu, input)) {
        Fillings<Points>::add(tables, place, as_tables(*std::move(rows)), {});
        return true;
      }
    return false;
  }
  std::string verdict(const Gpu& gpu, [[maybe_unused]] std::size_t machine) const override {
    const PointAnswer<M>& rows = as_answer<PointAnswer<M>>(found);
    if constexpr (SaysVerdictWithMachine<M>) {
      static const Machine none;
      return M::verdict(gpu, input, rows, machine < described.size() ? described[machine] : none);
    } else {
      return M::verdict(gpu, input, rows);
    }
  }

  Input input;
  Points found;                   // of the last point
  std::vector<Machine> described; // once for each point of what it depends on

private:
  // Rows and their grades.
  template <class Ask, class Into>
  static auto add(std::vector<Filling>& tables, const Place& place, const Ask& ask, Recorder* recorder,
                  std::type_identity<Into>) {
    Plain plain;
    auto rows = recorder ? ask(*recorder) : ask(plain);
    const Grades& read = recorder ? recorder->grades : plain.grades;
    const auto again = [&](const Shift& shift) {
      Plain shifted{.shift = shift, .grades = {}};
      return ask(shifted);
    };
    Into::add(tables, place, rows,
              place.request.quick_grades ? all_of(rows, read.worst()) : grades_of(rows, read, again));
    return rows;
  }
};

template <class Row> void add_outputs_of(std::vector<std::string>& outputs) {
  std::apply([&](const auto&... field) { (outputs.emplace_back(field.name), ...); }, fields_of<Row>);
}
template <class... Rows>
void add_outputs([[maybe_unused]] std::vector<std::string>& outputs,
                 std::type_identity<std::tuple<std::vector<Rows>...>>) {
  (add_outputs_of<Rows>(outputs), ...);
}

} // namespace detail

template <class M> Model erase() {
  static_assert(
      detail::SaysVerdict<M> || detail::SaysVerdictWithMachine<M>,
      "a model needs static std::string verdict(const Gpu&, const Input&, const (what predict "
      "returns)&): its answer in one or two sentences of plain English, with numbers of its rows; a "
      "fourth parameter takes what machine() returns");
  using Asked = detail::AskedModel<M>;
  Model model;
  model.info = M::info;
  const typename M::Input defaults{};
  std::apply(
      [&](const auto&... field) { (model.options.push_back(detail::option_of(field, defaults)), ...); },
      detail::fields_of<typename M::Input>);
  detail::add_outputs(model.outputs, std::type_identity<typename Asked::Points>{});
  detail::add_outputs(model.outputs, std::type_identity<typename Asked::Machine>{});
  model.run = [](const Model& self, std::span<const Gpu> gpus, const Request& request, RowSink* sink) {
    Asked asked;
    return detail::sweep(self, gpus, request, asked, sink);
  };
  if constexpr (requires(const Gpu& gpu, const typename M::Input& input) { M::tolerance(gpu, input); })
    model.tolerance = [](const Model&, const Gpu& gpu, const Request& request) {
      std::vector<Value> first;
      for (const Axis& axis : request.inputs) first.push_back(axis.values.front());
      Asked asked;
      asked.set_input(request, first);
      return M::tolerance(gpu, asked.input);
    };
  return model;
}

} // namespace perfmodel
