#include "grading.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::detail {

namespace {

constexpr double sensitive = 0.02;

// A number of a row, or NaN; words and keys do not count.
bool moved(double before, double after) {
  if (std::isnan(before) || std::isnan(after)) return std::isnan(before) != std::isnan(after);
  return std::fabs(after - before) > sensitive * std::fabs(before);
}

bool row_moved(std::span<const Field> fields, const void* before, const void* after) {
  return std::any_of(fields.begin(), fields.end(), [&](const Field& field) {
    const MemberType& type = *field.type;
    if (field.role != Role::predicted || type.is_word()) return false;
    const auto number = [&](const void* row) {
      return type.number ? type.number(field.of(row)) : static_cast<double>(type.count(field.of(row)));
    };
    return moved(number(before), number(after));
  });
}

void mark_moved(const std::vector<Rows>& before, const std::vector<Rows>& after, Grade grade,
                RowGrades& grades) {
  for (std::size_t t = 0; t < before.size(); ++t)
    for (std::size_t i = 0; i < before[t].count; ++i)
      if (before[t].count != after[t].count || row_moved(before[t].fields, before[t].row(i), after[t].row(i)))
        grades[t][i] = worse(grades[t][i], grade);
}

bool none_is_better(const RowGrades& grades, Grade grade) {
  for (const std::vector<Grade>& of : grades)
    for (const Grade row : of)
      if (row < grade) return false;
  return true;
}

} // namespace

RowGrades all_of(const std::vector<Rows>& tables, Grade grade) {
  RowGrades grades;
  for (const Rows& rows : tables) grades.emplace_back(rows.count, grade);
  return grades;
}

RowGrades grades_of(const std::vector<Rows>& tables, const Grades& read,
                    const std::function<std::vector<Rows>(const Shift&)>& ask) {
  if (!read.has(Grade::inherited) && !read.has(Grade::assumed)) return {};
  RowGrades grades = all_of(tables, Grade::known);
  // The worst first: a row that is known to rest on it need not be asked about again.
  for (const Grade grade : {Grade::assumed, Grade::inherited}) {
    if (!read.has(grade)) continue;
    // What is assumed reaches further up than down, so that its high end moves more of the rows.
    const bool high_first = grade == Grade::assumed;
    for (const bool high : {high_first, !high_first}) {
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
