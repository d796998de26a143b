#include "sweep_grade.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

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
  // Of each GPU from the best to the worst, so that it is named once.
  std::map<std::string, std::pair<Grade, Grade>> of_gpu;
  for (const auto& [g, names] : devices_)
    for (const std::string& name : names) of_gpu.try_emplace(name, g, g).first->second.second = g;
  std::map<std::pair<Grade, Grade>, std::vector<std::string>> alike;
  for (const auto& [name, grades] : of_gpu) alike[grades].push_back(name);
  std::string text;
  for (const auto& [grades, names] : alike) {
    const auto& [best, worst] = grades;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", name_of(best));
    if (best != worst) text += fmt::format(" to {}", name_of(worst));
    if (!names.front().empty())
      text += fmt::format(" ({})", fmt::join(names, ", ")); // "" where there is none
  }
  const bool of_gpus = !devices_.rbegin()->second.begin()->empty();
  result.notes.push_back(
      std::string(mixed_grades) + text +
      (of_gpus
           ? ". What is not known was measured on other GPUs, goes with a fact that was set, or is a range: "
             "hw costs shows it."
           : ". What is not known is a range: --explain shows it."));
}

} // namespace perfmodel::detail
