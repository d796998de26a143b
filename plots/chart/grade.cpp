#include "grade.hpp"

#include <algorithm>

namespace perfmodel::plots {

std::vector<Grade> grades_of(const Table& table) {
  std::vector<Grade> grades(table.rows(), Grade::known);
  const Column* column = table.find("grade");
  if (column == nullptr || !column->is_text()) return grades;
  const auto& words = std::get<std::vector<std::string>>(column->cells);
  for (std::size_t row = 0; row < std::min(words.size(), grades.size()); ++row)
    if (words[row] == "inherited")
      grades[row] = Grade::inherited;
    else if (words[row] == "assumed")
      grades[row] = Grade::assumed;
  return grades;
}

std::string grade_text(Grade grade) {
  return grade == Grade::known ? "" : grade == Grade::inherited ? "inherited cost" : "assumed cost";
}

std::string with_grade(std::string title, Grade grade) {
  return grade == Grade::known ? title : std::move(title) + ", " + grade_text(grade);
}

void add_grade_legend(Chart& chart) {
  for (const Grade grade : {Grade::inherited, Grade::assumed}) {
    const auto in = [&](const auto& marks) {
      return std::any_of(marks.begin(), marks.end(), [&](const auto& m) { return m.grade == grade; });
    };
    const bool dense = std::any_of(chart.densities.begin(), chart.densities.end(),
                                   [&](const Density& d) { return in(d.cells); });
    LegendEntry entry{.text = grade_text(grade), .colour = grey, .filled = true, .radius = 4.5};
    entry.grade = grade;
    entry.bar = in(chart.bars) || dense;
    entry.line = !entry.bar && in(chart.lines);
    entry.marker = !entry.bar && in(chart.dots);
    if (entry.bar || entry.line || entry.marker) chart.legend.push_back(std::move(entry));
  }
}

} // namespace perfmodel::plots
