// The grade of a row: the worst grade of an estimate that it is sensitive to. All estimates of one grade are
// moved to the low, then to the high end of their ranges, and the model is asked again: a row counts as
// resting on that grade where one of its numbers moves by more than 2 %. Estimates whose moves cancel are not
// seen.
#pragma once

#include "error.hpp"
#include "estimate.hpp"
#include "fields.hpp"

#include <cmath>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <vector>

namespace perfmodel::detail {

inline constexpr double sensitive = 0.02;

inline bool moved(double before, double after) {
  if (std::isnan(before) || std::isnan(after)) return std::isnan(before) != std::isnan(after);
  return std::fabs(after - before) > sensitive * std::fabs(before);
}

// A number of a row; words and keys do not count.
template <class V> bool value_moved([[maybe_unused]] const V& before, [[maybe_unused]] const V& after) {
  using U = unwrapped<V>;
  if constexpr (!std::is_same_v<V, U>)
    return before && after ? value_moved(*before, *after) : before.has_value() != after.has_value();
  else if constexpr (std::is_enum_v<U> || std::is_same_v<U, std::string> || Points<U> || Written<U>)
    return false;
  else
    return moved(base_value(before), base_value(after));
}

template <class Row> bool row_moved(const Row& before, const Row& after) {
  return std::apply(
      [&](const auto&... field) {
        return ((field.role == Role::predicted && value_moved(before.*field.member, after.*field.member)) ||
                ...);
      },
      fields_of<Row>);
}

// A grade for each row of each table.
template <std::size_t N> using RowGrades = std::array<std::vector<Grade>, N>;

template <class... Rows>
RowGrades<sizeof...(Rows)> all_of(const std::tuple<std::vector<Rows>...>& tables, Grade grade) {
  return std::apply(
      [&](const auto&... rows) {
        return RowGrades<sizeof...(Rows)>{std::vector<Grade>(rows.size(), grade)...};
      },
      tables);
}

template <class... Rows>
void mark_moved(const std::tuple<std::vector<Rows>...>& before, const std::tuple<std::vector<Rows>...>& after,
                Grade grade, RowGrades<sizeof...(Rows)>& grades) {
  const auto mark = [&]<std::size_t... I>(std::index_sequence<I...>) {
    [[maybe_unused]] const auto table = [&](const auto& rows, const auto& others, std::vector<Grade>& of) {
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows.size() != others.size() || row_moved(rows[i], others[i])) of[i] = worse(of[i], grade);
    };
    (table(std::get<I>(before), std::get<I>(after), grades[I]), ...);
  };
  mark(std::index_sequence_for<Rows...>());
}

template <std::size_t N> bool none_is_better(const RowGrades<N>& grades, Grade grade) {
  for (const std::vector<Grade>& of : grades)
    for (const Grade row : of)
      if (row < grade) return false;
  return true;
}

// `read`: the grades of the estimates that went into `tables`; `ask(shift)`: the same tables with other
// values of them. Nothing is asked where all costs are known; then no row has a grade here.
template <class... Rows, class Ask>
RowGrades<sizeof...(Rows)> grades_of(const std::tuple<std::vector<Rows>...>& tables, const Grades& read,
                                     Ask ask) {
  if (!read.has(Grade::inherited) && !read.has(Grade::assumed)) return {};
  RowGrades<sizeof...(Rows)> grades = all_of(tables, Grade::known);
  // The worst first: a row that is known to rest on it need not be asked about again.
  for (const Grade grade : {Grade::assumed, Grade::inherited}) {
    if (!read.has(grade)) continue;
    for (const bool high : {false, true}) {
      if (none_is_better(grades, grade)) break;
      try {
        mark_moved(tables, ask(Shift{grade, high}), grade, grades);
      } catch (const InputError&) { // no answer with such costs
        for (std::vector<Grade>& of : grades)
          for (Grade& row : of) row = worse(row, grade);
      }
    }
  }
  return grades;
}

} // namespace perfmodel::detail
