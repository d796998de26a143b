// Tables while a sweep fills them: keys of the sweep, then the fields of the model's rows.
#pragma once

#include "bindings.hpp"
#include "fields.hpp"
#include "swept_names.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <variant>

namespace perfmodel::detail {

// One table being filled: the gpu, swept facts and given inputs as keys, then the fields of the row.
template <class Row> class Filling {
public:
  // `points` are the rows to expect: one for each point of the sweep.
  Filling(const Model& model, const Request& request, std::size_t points) : model_(model) {
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
      if (is_by_name(option, axis)) { // numbers of their own, which a chart can draw over
        for (const Axis& name : swept_names(model, axis))
          add({.name = name.name, .role = Role::key, .cells = std::vector<std::int64_t>{}});
        continue;
      }
      Column column{
          .name = axis.name, .unit = option.unit, .role = Role::key, .cells = std::vector<double>{}};
      if (option.kind != OptionKind::number) column.cells = std::vector<std::string>{};
      add(std::move(column));
    }
    first_ = table_.columns.size();
    std::apply([&](const auto&... field) { (add(column_of(field)), ...); }, Row::fields());
    for (Column& column : table_.columns)
      std::visit([&](auto& cells) { cells.reserve(points); }, column.cells);
  }

  void add_row(const Gpu& gpu, std::span<const Value> facts, const Request& request,
               std::span<const Value> inputs, const Row& row) {
    std::size_t c = 0;
    append(table_.columns[c++], gpu.name);
    for (const Value& v : facts) {
      if (v.text.empty())
        append(table_.columns[c++], v.number);
      else
        append(table_.columns[c++], v.text);
    }
    for (const Axis* axis : inputs_) {
      const Value& v = inputs[static_cast<std::size_t>(axis - request.inputs.data())];
      if (is_by_name(*model_.find(axis->name), *axis)) {
        for (const auto& [name, number] : Bindings::from_text(v.text).values)
          append(table_.columns[c++], number);
        continue;
      }
      if (table_.columns[c].is_text())
        append(table_.columns[c++], v.text);
      else
        append(table_.columns[c++], v.number);
    }
    c = first_;
    std::apply([&](const auto&... field) { (append_value(table_.columns[c++], row.*field.member), ...); },
               Row::fields());
  }

  // Keys that no row has, such as a matrix's width where none was asked about, are left out.
  Table take() {
    std::size_t c = 0;
    std::erase_if(table_.columns, [&](const Column& column) {
      return c++ >= first_ && column.role == Role::key && column.size() > 0 && is_empty(column);
    });
    return std::move(table_);
  }

private:
  static bool is_by_name(const Option& option, const Axis& axis) {
    return option.kind == OptionKind::bindings && axis.values.size() > 1;
  }
  static bool is_empty(const Column& column) {
    for (std::size_t row = 0; row < column.size(); ++row)
      if (column.is_text() ? !column.text(row).empty() : !std::isnan(column.number(row))) return false;
    return true;
  }
  void add(Column column) { table_.columns.push_back(std::move(column)); }
  static bool has_field(std::string_view name) {
    return std::apply([&](const auto&... field) { return ((field.name == name) || ...); }, Row::fields());
  }
  template <class T> static Column column_of(const Field<Row, T>& field) {
    using U = unwrapped<T>;
    Column column{.name = std::string(field.name), .unit = field_unit<U>(field.symbol), .role = field.role};
    if constexpr (Named<U> || std::is_same_v<U, std::string> || Written<U>)
      column.cells = std::vector<std::string>{};
    else if constexpr (std::is_integral_v<T>)
      column.cells = std::vector<std::int64_t>{};
    else
      column.cells = std::vector<double>{};
    return column;
  }

  const Model& model_;
  Table table_;
  std::vector<const Axis*> inputs_;
  std::size_t first_ = 0;
};

// predict's three result shapes, as one: a tuple of vectors of rows.
template <class Row> std::tuple<std::vector<Row>> as_tables(Row row) {
  return {std::vector<Row>{std::move(row)}};
}
template <class Row> std::tuple<std::vector<Row>> as_tables(std::vector<Row> rows) {
  return {std::move(rows)};
}
template <class... Rows> std::tuple<std::vector<Rows>...> as_tables(std::tuple<std::vector<Rows>...> t) {
  return t;
}

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
    }
    (std::index_sequence_for<Rows...>{});
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

} // namespace perfmodel::detail
