#include "sweep_grade.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>

namespace perfmodel::detail {

void SweepGrade::add(const Table& rows) {
  const auto& grades = std::get<std::vector<std::string>>(rows.at("grade").cells);
  const auto& gpus = std::get<std::vector<std::string>>(rows.at("gpu").cells);
  for (std::size_t row = 0; row < grades.size(); ++row) {
    if (row > 0 && grades[row] == grades[row - 1] && gpus[row] == gpus[row - 1]) continue;
    for (const Grade g : {Grade::known, Grade::inherited, Grade::assumed})
      if (grades[row] == name_of(g)) devices_[g].insert(gpus[row]);
  }
}

void SweepGrade::tell(Result& result) const {
  if (devices_.empty()) return;
  result.grade = devices_.rbegin()->first;
  if (devices_.size() < 2) return;
  const auto of = [](const std::set<std::string>& names) { // "" where the model has no GPU
    return names.begin()->empty() ? std::string() : fmt::format(" ({})", fmt::join(names, ", "));
  };
  std::string text;
  for (const auto& [g, names] : devices_)
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", name_of(g), of(names));
  const bool of_gpus = !devices_.rbegin()->second.begin()->empty();
  result.notes.push_back(
      std::string(mixed_grades) + text +
      (of_gpus
           ? ". What is not known was measured on other GPUs, goes with a fact that was set, or is a range: "
             "hw costs shows it."
           : ". What is not known is a range: --explain shows it."));
}

} // namespace perfmodel::detail
