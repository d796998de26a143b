// From a model's declaration to the Model that the registry lists: its options, its outputs, and its sweep.
#pragma once

#include "refused.hpp"
#include "rows.hpp"
#include "sweep.hpp"

#include <concepts>
#include <memory>
#include <optional>
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

  std::unique_ptr<Asked> another() const override { return std::make_unique<AskedModel>(); }

  std::vector<RowType> machine_types() const override { return TablesOf<Machine>::types(); }
  std::vector<RowType> point_types() const override { return TablesOf<Points>::types(); }

  void set_input(const Request& request, std::span<const Value> values) override {
    input = Input{};
    for (std::size_t i = 0; i < values.size(); ++i)
      set_field(fields_of<Input>(), &input, request.inputs[i].name, values[i]);
  }

  std::vector<Rows> machine(const Gpu& gpu, Plain& trace) override {
    return TablesOf<Machine>::rows(described.emplace_back(machine_of(gpu, input, trace)));
  }
  std::vector<Rows> machine_again(const Gpu& gpu, Plain& trace) override {
    return TablesOf<Machine>::rows(other_machine = machine_of(gpu, input, trace));
  }
  void forget_machine() override { described.clear(); }
  void explain_machine(const Gpu& gpu, Recorder& recorder) override { machine_of(gpu, input, recorder); }

  std::vector<Rows> point(const Gpu& gpu, Plain& trace) override {
    return TablesOf<Points>::rows(found = as_tables(M::predict(gpu, input, trace)));
  }
  std::vector<Rows> point(const Gpu& gpu, Recorder& recorder) override {
    return TablesOf<Points>::rows(found = as_tables(M::predict(gpu, input, recorder)));
  }
  std::vector<Rows> point_again(const Gpu& gpu, Plain& trace) override {
    return TablesOf<Points>::rows(other_point = as_tables(M::predict(gpu, input, trace)));
  }
  std::optional<std::vector<Rows>> refused([[maybe_unused]] const Gpu& gpu) override {
    if constexpr (ShowsRefused<M>)
      if (auto rows = M::refused(gpu, input))
        return TablesOf<Points>::rows(other_point = as_tables(*std::move(rows)));
    return {};
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

  std::optional<Said> said([[maybe_unused]] std::size_t machine) const override {
    const PointAnswer<M>& rows = as_answer<PointAnswer<M>>(found);
    const void* member = nullptr;
    if constexpr (requires { M::said(input, rows); })
      member = M::said(input, rows);
    else if constexpr (requires(const Machine& tables) { M::said(input, rows, tables); }) {
      if (machine < described.size()) member = M::said(input, rows, described[machine]);
    }
    if (member == nullptr) return {};
    const std::vector<Rows> of_point = TablesOf<Points>::rows(found);
    if (const auto place = place_of(member, of_point))
      return Said{*place, false, of_point[place->table].count};
    std::optional<Said> of_machine;
    std::vector<std::size_t> rows_so_far(machine_types().size(), 0);
    for (const Machine& tables : described) {
      const std::vector<Rows> these = TablesOf<Machine>::rows(tables);
      if (auto place = place_of(member, these)) {
        place->row += rows_so_far[place->table];
        of_machine = Said{*place, true};
      }
      for (std::size_t t = 0; t < these.size(); ++t) rows_so_far[t] += these[t].count;
    }
    if (of_machine) of_machine->rows = rows_so_far[of_machine->place.table];
    return of_machine;
  }

  std::string pick() const override {
    const PointAnswer<M>& rows = as_answer<PointAnswer<M>>(found);
    if constexpr (requires { M::pick(rows); })
      return M::pick(rows);
    else
      return "";
  }

  Input input;
  Points found, other_point;      // found: of the last point
  std::vector<Machine> described; // once for each point of what it depends on
  Machine other_machine;
};

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
  for (const detail::Field& field : detail::fields_of<typename M::Input>())
    model.options.push_back(detail::option_of(field, &defaults));
  for (const std::vector<detail::RowType>& types : {detail::TablesOf<typename Asked::Points>::types(),
                                                    detail::TablesOf<typename Asked::Machine>::types()})
    for (const detail::RowType& type : types)
      for (const detail::Field& field : type.fields)
        model.outputs.emplace_back(field.name), model.output_helps.emplace_back(field.help);
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
