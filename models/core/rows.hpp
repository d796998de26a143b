// What a model predicts, without its types: the same code fills the tables and finds the grades of all
// models.
#pragma once

#include "fields.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace perfmodel::detail {

// A kind of row: what its table is called, and what is in it.
struct RowType {
  std::string_view title;
  std::span<const Field> fields;
};

// Rows of one kind, as they lie in a vector that somebody else keeps.
struct Rows {
  std::span<const Field> fields;
  const std::byte* first = nullptr;
  std::size_t count = 0, size = 0; // rows; bytes of a row

  const void* row(std::size_t i) const { return first + i * size; }
};

// Which member of which row of which table.
struct CellPlace {
  std::size_t table = 0, row = 0;
  std::string_view field;
};
std::optional<CellPlace> place_of(const void* member, std::span<const Rows> tables);

// predict's three result shapes, as one: a tuple of vectors of rows.
template <class Row> std::tuple<std::vector<Row>> as_tables(Row row) {
  return {std::vector<Row>{std::move(row)}};
}
template <class Row> std::tuple<std::vector<Row>> as_tables(std::vector<Row> rows) {
  return {std::move(rows)};
}
template <class... Row> std::tuple<std::vector<Row>...> as_tables(std::tuple<std::vector<Row>...> t) {
  return t;
}

template <class Tables> struct TablesOf;
template <class... Row> struct TablesOf<std::tuple<std::vector<Row>...>> {
  static std::vector<RowType> types() { return {RowType{Row::title, fields_of<Row>()}...}; }
  static std::vector<Rows> rows(const std::tuple<std::vector<Row>...>& tables) {
    return std::apply([](const auto&... of) { return std::vector<Rows>{rows_of(of)...}; }, tables);
  }

private:
  template <class R> static Rows rows_of(const std::vector<R>& rows) {
    return {fields_of<R>(), reinterpret_cast<const std::byte*>(rows.data()), rows.size(), sizeof(R)};
  }
};

} // namespace perfmodel::detail
