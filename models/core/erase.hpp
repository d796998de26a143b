// From a model's declaration to the Model that the registry lists: options, columns and sweep, written once for all.
#pragma once

#include "error.hpp"
#include "model.hpp"
#include "trace.hpp"

#include <fmt/format.h>

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace perfmodel {

// An enum whose values have names: `constexpr auto names(E)` returns them in order, found by argument lookup.
template <class E>
concept Named = std::is_enum_v<E> && requires(E e) { names(e); };

// A table of points given in a file; `Value::text` carries the CSV itself.
template <class P>
concept Points = requires(P p) { P::from_csv(std::string_view{}); };

namespace detail {

template <class T> struct Unwrapped {
  using type = T;
};
template <class T> struct Unwrapped<std::optional<T>> {
  using type = T;
};
template <class T> using unwrapped = typename Unwrapped<T>::type;

template <class T> Unit field_unit(std::string_view symbol) {
  if constexpr (std::is_enum_v<T> || std::is_same_v<T, std::string> || Points<T>) return {};
  else return symbol.empty() ? unit_of<T>() : Unit{std::string(symbol), dimension_of<T>};
}

template <class T> std::string value_text(const T& value, const Unit& unit) {
  if constexpr (Named<T>) return std::string(names(value)[static_cast<std::size_t>(value)]);
  else if constexpr (std::is_same_v<T, std::string>) return value;
  else if constexpr (Points<T>) return "";
  else return format_quantity(base_value(value), unit);
}

template <class S, class T> Option option_of(const Field<S, T>& field) {
  using U = unwrapped<T>;
  Option option{.name = std::string(field.name), .help = std::string(field.help), .range = field.range};
  option.unit = field_unit<U>(field.symbol);
  if constexpr (Named<U>) {
    option.kind = OptionKind::choice;
    for (const auto name : names(U{})) option.choices.emplace_back(name);
  } else if constexpr (std::is_same_v<U, std::string>) {
    option.kind = OptionKind::text;
  } else if constexpr (Points<U>) {
    option.kind = OptionKind::points;
  }
  if constexpr (!std::is_same_v<T, std::optional<U>>) option.default_text = value_text(S{}.*field.member, option.unit);
  return option;
}

template <class T> void set_member(T& member, const Value& value, std::string_view name) {
  using U = unwrapped<T>;
  if constexpr (Named<U>) {
    const auto all = names(U{});
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i] == value.text) {
        member = static_cast<U>(i);
        return;
      }
    throw InputError(fmt::format("--{}: unknown value '{}'", name, value.text));
  } else if constexpr (std::is_same_v<U, std::string>) {
    member = value.text;
  } else if constexpr (Points<U>) {
    member = U::from_csv(value.text);
  } else if constexpr (std::is_integral_v<U>) {
    if (!(value.number >= 0 && value.number <= 9e18)) throw InputError(fmt::format("--{}: too large a count", name));
    member = static_cast<U>(value.number);
  } else {
    member = U(value.number);
  }
}

template <class S> void set_input(S& input, std::string_view name, const Value& value) {
  std::apply(
      [&](const auto&... field) {
        ((field.name == name ? set_member(input.*field.member, value, name) : void()), ...);
      },
      S::fields());
}

template <class T> void append_value(Column& column, const T& value) {
  if constexpr (std::is_same_v<T, std::optional<unwrapped<T>>>) {
    if (value) append_value(column, *value);
    else if constexpr (Named<unwrapped<T>> || std::is_same_v<unwrapped<T>, std::string>) append(column, std::string());
    else append(column, absent);
  } else if constexpr (Named<T>) {
    append(column, std::string(names(value)[static_cast<std::size_t>(value)]));
  } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
    append(column, value);
  } else {
    append(column, value.value);
  }
}

// One table being filled: the gpu, swept facts and given inputs as keys, then the fields of the row.
template <class Row> class Filling {
public:
  // `points` are the rows to expect: one for each point of the sweep.
  Filling(const Model& model, const Request& request, std::size_t points) {
    table_.title = std::string(Row::title);
    add({.name = "gpu", .role = Role::key, .cells = std::vector<std::string>{}});
    for (const Axis& axis : request.facts) {
      const KeyInfo* key = find_key(axis.name);
      const Unit unit = key ? Unit{base_symbol(key->dimension), key->dimension} : Unit{};
      add({.name = axis.name, .unit = unit, .role = Role::key, .cells = std::vector<double>{}});
    }
    for (const Axis& axis : request.inputs) {
      const Option& option = *model.find(axis.name);
      if (has_field(axis.name) || option.kind == OptionKind::points) continue; // the row says it itself
      inputs_.push_back(&axis);
      Column column{.name = axis.name, .unit = option.unit, .role = Role::key, .cells = std::vector<double>{}};
      if (option.kind != OptionKind::number) column.cells = std::vector<std::string>{};
      add(std::move(column));
    }
    first_ = table_.columns.size();
    std::apply([&](const auto&... field) { (add(column_of(field)), ...); }, Row::fields());
    for (Column& column : table_.columns) std::visit([&](auto& cells) { cells.reserve(points); }, column.cells);
  }

  void add_row(const Gpu& gpu, std::span<const Value> facts, const Request& request, std::span<const Value> inputs,
               const Row& row) {
    std::size_t c = 0;
    append(table_.columns[c++], gpu.name);
    for (const Value& v : facts) {
      if (v.text.empty()) append(table_.columns[c++], v.number);
      else append(table_.columns[c++], v.text);
    }
    for (const Axis* axis : inputs_) {
      const Value& v = inputs[static_cast<std::size_t>(axis - request.inputs.data())];
      if (table_.columns[c].is_text()) append(table_.columns[c++], v.text);
      else append(table_.columns[c++], v.number);
    }
    c = first_;
    std::apply([&](const auto&... field) { (append_value(table_.columns[c++], row.*field.member), ...); },
               Row::fields());
  }

  Table take() { return std::move(table_); }

private:
  void add(Column column) { table_.columns.push_back(std::move(column)); }
  static bool has_field(std::string_view name) {
    return std::apply([&](const auto&... field) { return ((field.name == name) || ...); }, Row::fields());
  }
  template <class T> static Column column_of(const Field<Row, T>& field) {
    using U = unwrapped<T>;
    Column column{.name = std::string(field.name), .unit = field_unit<U>(field.symbol), .role = field.role};
    if constexpr (Named<U> || std::is_same_v<U, std::string>) column.cells = std::vector<std::string>{};
    else if constexpr (std::is_integral_v<T>) column.cells = std::vector<std::int64_t>{};
    else column.cells = std::vector<double>{};
    return column;
  }

  Table table_;
  std::vector<const Axis*> inputs_;
  std::size_t first_ = 0;
};

// predict's three result shapes, as one: a tuple of vectors of rows.
template <class Row> std::tuple<std::vector<Row>> as_tables(Row row) { return {std::vector<Row>{std::move(row)}}; }
template <class Row> std::tuple<std::vector<Row>> as_tables(std::vector<Row> rows) { return {std::move(rows)}; }
template <class... Rows> std::tuple<std::vector<Rows>...> as_tables(std::tuple<std::vector<Rows>...> t) { return t; }

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

// A model with tables that describe the machine whatever the point of the sweep, such as a roofline's ceilings.
template <class M>
concept DescribesMachine = requires(const Gpu& gpu, const typename M::Input& input, Plain& trace) {
  M::machine(gpu, input, trace);
};

// Tables while they are filled: one Filling for each vector of rows.
template <class Tables> class Fillings;
template <class... Rows> class Fillings<std::tuple<std::vector<Rows>...>> {
public:
  Fillings(const Model& model, const Request& request, [[maybe_unused]] std::size_t points)
      : fillings_{Filling<Rows>(model, request, points)...} {}

  void add(const std::tuple<std::vector<Rows>...>& tables, const Gpu& gpu, std::span<const Value> facts,
           const Request& request, std::span<const Value> inputs) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] const auto fill = [&](auto& filling, const auto& rows) {
        for (const auto& row : rows) filling.add_row(gpu, facts, request, inputs, row);
      };
      (fill(std::get<I>(fillings_), std::get<I>(tables)), ...);
    }(std::index_sequence_for<Rows...>{});
  }
  void keep(Result& result) {
    const auto take = [&](auto& filling) {
      Table table = filling.take();
      if (table.rows() > 0) result.tables.push_back(std::move(table));
    };
    std::apply([&](auto&... filling) { (take(filling), ...); }, fillings_);
  }

private:
  std::tuple<Filling<Rows>...> fillings_;
};

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

template <class M> Result run(const Model& model, std::span<const Gpu> gpus, const Request& request) {
  using Input = typename M::Input;
  Result result{.kind = Kind::predicted, .model = std::string(M::info.name), .title = std::string(M::info.summary)};
  result.chart = {M::info.chart,           std::string(M::info.x), std::string(M::info.y),
                  std::string(M::info.series), M::info.log_x,      M::info.log_y};

  // Words choose what is shown of the machine; numbers only move the point on it.
  Request words{.facts = request.facts};
  for (const Axis& axis : request.inputs)
    if (model.find(axis.name)->kind == OptionKind::choice) words.inputs.push_back(axis);
  const auto rows_of = [](const Gpu& gpu, const Input& input, auto& trace) {
    return as_tables(M::predict(gpu, input, trace));
  };
  const auto machine_of = [](const Gpu& gpu, const Input& input, auto& trace) {
    if constexpr (DescribesMachine<M>) return as_tables(M::machine(gpu, input, trace));
    else return std::tuple<>{};
  };
  Plain plain;
  Fillings<decltype(machine_of(gpus[0], Input{}, plain))> machine(model, words, gpus.size() * grid_size(words));
  Fillings<decltype(rows_of(gpus[0], Input{}, plain))> points(model, request, gpus.size() * grid_size(request));

  for (const Gpu& device : gpus) {
    bool first = true;
    for_each_point(request.facts, [&](std::span<const Value> facts) {
      const Gpu gpu = gpu_of(device, request, facts);
      for_each_point(words.inputs, [&](std::span<const Value> inputs) {
        machine.add(machine_of(gpu, input_of<Input>(words, inputs), plain), gpu, facts, words, inputs);
      });
      for_each_point(request.inputs, [&](std::span<const Value> inputs) {
        const Input input = input_of<Input>(request, inputs);
        if (std::exchange(first, false)) {
          Recorder recorder;
          recorder.derivation.title = gpu.name;
          machine_of(gpu, input, recorder);
          rows_of(gpu, input, recorder);
          note_origins(result, recorder.derivation);
          if (request.explain) result.derivations.push_back(std::move(recorder.derivation));
        }
        points.add(rows_of(gpu, input, plain), gpu, facts, request, inputs);
      });
    });
  }
  machine.keep(result);
  points.keep(result);
  return result;
}

} // namespace detail

namespace detail {

template <class... Rows> void add_outputs(Model& model, const std::tuple<std::vector<Rows>...>&) {
  const auto add = [&](const auto& fields) {
    std::apply([&](const auto&... field) { (model.outputs.emplace_back(field.name), ...); }, fields);
  };
  (add(Rows::fields()), ...);
}

template <class M> void list_outputs(Model& model) {
  using Rows = decltype(as_tables(
      M::predict(std::declval<const Gpu&>(), std::declval<const typename M::Input&>(), std::declval<Plain&>())));
  add_outputs(model, Rows{});
  if constexpr (DescribesMachine<M>) {
    using Machine = decltype(as_tables(
        M::machine(std::declval<const Gpu&>(), std::declval<const typename M::Input&>(), std::declval<Plain&>())));
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
