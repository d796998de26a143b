#include "models/core/sweep_grade.hpp"

#include <gtest/gtest.h>

namespace perfmodel::sweep_grade_test {

// The note about rows of these GPUs with these grades, up to its first full stop.
std::string note(const std::vector<std::string>& gpus, const std::vector<std::string>& grades) {
  Table table;
  table.columns = {{.name = "gpu", .cells = gpus}, {.name = "grade", .cells = grades}};
  detail::SweepGrade grade;
  grade.add(table);
  Result result;
  grade.tell(result);
  return result.notes.empty() ? "" : result.notes.front().substr(0, result.notes.front().find(". "));
}

TEST(SweepGrade, a_gpu_is_named_once_with_the_best_and_the_worst_of_its_grades) {
  EXPECT_EQ(note({"rtx4090", "rtx4090"}, {"known", "assumed"}),
            "Grades differ between rows: known to assumed (rtx4090)");
  EXPECT_EQ(note({"h200", "rtx4090", "rtx4090"}, {"known", "assumed", "inherited"}),
            "Grades differ between rows: known (h200), inherited to assumed (rtx4090)");
  EXPECT_EQ(note({"h200", "k40"}, {"known", "assumed"}),
            "Grades differ between rows: known (h200), assumed (k40)");
}

TEST(SweepGrade, alike_nothing_is_said) { EXPECT_EQ(note({"h200", "k40"}, {"known", "known"}), ""); }

TEST(SweepGrade, without_gpus_grades_stand_alone) {
  EXPECT_EQ(note({"", ""}, {"known", "assumed"}), "Grades differ between rows: known to assumed");
}

} // namespace perfmodel::sweep_grade_test
