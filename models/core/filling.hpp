// Tables while a sweep fills them: keys of the sweep, then the fields of the model's rows.
#pragma once

#include "fields.hpp"
#include "grading.hpp"

#include <span>
#include <vector>

namespace perfmodel::detail {

// Where in a sweep a row stands: the values of the facts and inputs that vary, in the request's order.
struct Place {
  const Gpu& gpu;
  const Request& request;
  std::span<const Value> facts, inputs;
};

// One table being filled: the gpu, swept facts and given inputs as keys, then the fields of the row.
class Filling {
public:
  // `fields` are the row's own columns, empty; `points` the rows to expect, one for each point of the sweep.
  Filling(std::string_view title, std::vector<Column> fields, const Model& model, const Request& request,
          std::size_t points);

  // A row begins with its keys; `field(i)` then takes the value of its i-th field; it ends with its grade.
  void add_keys(const Place& place);
  Column& field(std::size_t i) { return table_.columns[first_ + i]; }
  void add_grade(Grade grade) {
    std::get<std::vector<std::string>>(table_.columns.back().cells).emplace_back(name_of(grade));
  }

  // What has been added since the last clear(). Which columns take() may leave out: keys of the row's own,
  // what was measured, and the GPU's name.
  const Table& rows() const { return table_; }
  void clear();
  bool can_be_left_out(std::size_t column) const;

  // Keys that no row has, such as a matrix's width where none was asked about, are left out; so is what was
  // measured where nobody did, and the GPU where there is none.
  Table take();

private:
  void add(Column column) { table_.columns.push_back(std::move(column)); }

  const Model& model_;
  Table table_;
  std::vector<std::size_t> inputs_; // of the request: those that are columns
  std::size_t first_ = 0;
};

// Whether any row has a number or a word there.
bool has_value(const Column& column);

template <class Row> std::vector<Column> columns_of() {
  return std::apply([](const auto&... field) { return std::vector<Column>{column_of(field)...}; },
                    fields_of<Row>);
}

// `grades` of none: known.
template <class Row>
void add_rows(Filling& filling, const Place& place, const std::vector<Row>& rows,
              const std::vector<Grade>& grades) {
  for (std::size_t at = 0; at < rows.size(); ++at) {
    filling.add_keys(place);
    std::size_t i = 0;
    std::apply([&](const auto&... field) { (append_value(filling.field(i++), rows[at].*field.member), ...); },
               fields_of<Row>);
    filling.add_grade(grades.empty() ? Grade::known : grades[at]);
  }
}

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

// One Filling for each vector of rows.
template <class Tables> struct Fillings;
template <class... Rows> struct Fillings<std::tuple<std::vector<Rows>...>> {
  static std::vector<Filling> empty([[maybe_unused]] const Model& model,
                                    [[maybe_unused]] const Request& request,
                                    [[maybe_unused]] std::size_t points) {
    return {Filling(Rows::title, columns_of<Rows>(), model, request, points)...};
  }
  static void add([[maybe_unused]] std::vector<Filling>& fillings, [[maybe_unused]] const Place& place,
                  const std::tuple<std::vector<Rows>...>& tables,
                  [[maybe_unused]] const RowGrades<sizeof...(Rows)>& grades) {
    [[maybe_unused]] std::size_t i = 0;
    std::apply([&](const auto&... rows) { ((add_rows(fillings[i], place, rows, grades[i]), ++i), ...); },
               tables);
  }
};

} // namespace perfmodel::detail
