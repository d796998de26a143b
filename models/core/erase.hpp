// From a model's declaration to the Model that the registry lists: its options, its outputs, and its sweep.
#pragma once

#include "refused.hpp"
#include "sweep.hpp"

#include <utility>

namespace perfmodel {

namespace detail {

// A model with tables that describe the machine whatever the point of the sweep, such as a roofline's
// ceilings.
template <class M>
concept DescribesMachine = requires(const Gpu& gpu, const typename M::Input& input, Plain& trace) {
  M::machine(gpu, input, trace);
};

template <class M> struct AskedModel final : Asked {
  using Input = typename M::Input;
  using Points = decltype(as_tables(
      M::predict(std::declval<const Gpu&>(), std::declval<const Input&>(), std::declval<Plain&>())));
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
    Plain plain;
    Fillings<Machine>::add(tables, place, machine_of(place.gpu, input, plain));
  }
  void explain_machine(const Gpu& gpu, Recorder& recorder) override { machine_of(gpu, input, recorder); }
  void add_point(std::vector<Filling>& tables, const Place& place, Recorder* recorder) override {
    Plain plain;
    Fillings<Points>::add(tables, place,
                          recorder ? as_tables(M::predict(place.gpu, input, *recorder))
                                   : as_tables(M::predict(place.gpu, input, plain)));
  }
  void add_refused([[maybe_unused]] std::vector<Filling>& tables,
                   [[maybe_unused]] const Place& place) override {
    if constexpr (ShowsRefused<M>)
      Fillings<Points>::add(tables, place, as_tables(M::refused(place.gpu, input)));
  }

  Input input;
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
  using Asked = detail::AskedModel<M>;
  Model model;
  model.info = M::info;
  const typename M::Input defaults{};
  std::apply(
      [&](const auto&... field) { (model.options.push_back(detail::option_of(field, defaults)), ...); },
      detail::fields_of<typename M::Input>);
  detail::add_outputs(model.outputs, std::type_identity<typename Asked::Points>{});
  detail::add_outputs(model.outputs, std::type_identity<typename Asked::Machine>{});
  model.run = [](const Model& self, std::span<const Gpu> gpus, const Request& request) {
    Asked asked;
    return detail::sweep(self, gpus, request, asked);
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
