// Numbers that stand for names without room, which a note explains.
#include "charts.hpp"

#include "plots/chart/roofline_chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace perfmodel::plots::numbered_labels_test {

// Three kernels at three levels of memory each, in the size of a slide and of a column.
TEST(NumberedLabels, of_levels_of_memory_stand_in_the_picture) {
  test::Machine machine = test::h200();
  double bytes = 1;
  for (const char* name : {"gemm", "nbody", "axpy"}) {
    bytes *= 3;
    for (const auto& [level, less] : {std::pair{"dram", 1.0}, {"l2", 40.0}, {"l1", 70.0}})
      machine.kernels.push_back({name, "fp32", level, 3000 / bytes / less, 60e12, 20e12 / bytes});
  }
  for (const Size size : {Size{693, 390}, Size{447, 368}}) {
    const Layout l = layout(roofline_chart(test::roofline({machine})), size);
    const std::string notes = test::notes_of(l);
    for (int number = 1; number < 12; ++number) {
      const std::string word = std::to_string(number);
      if (notes.find(" " + word + ": ") == std::string::npos) continue;
      EXPECT_TRUE(
          std::any_of(l.labels.begin(), l.labels.end(), [&](const Text& t) { return t.text == word; }))
          << word << " of '" << notes << "'";
    }
    for (const test::Kernel& kernel : machine.kernels) {
      const auto has = [&](const Text& t) { return t.text.find(kernel.name) != std::string::npos; };
      EXPECT_TRUE(notes.find(kernel.name) != std::string::npos ||
                  std::any_of(l.labels.begin(), l.labels.end(), has))
          << kernel.name;
    }
  }
}

// A note that tells what a number stands for is of use only where the number can be found.
TEST(NumberedLabels, that_a_note_explains_stand_in_the_picture) {
  std::size_t explained = 0;
  for (const auto& [name, chart] : test::all_charts()) {
    const auto named = std::count_if(chart.dots.begin(), chart.dots.end(),
                                     [](const ChartDot& dot) { return !dot.label.empty(); });
    if (named < 3 || named > 60) continue;
    for (const int width : {330, 413, 560})
      for (const int height : {260, 340}) try {
          const Layout l = layout(chart, {width, height});
          const std::string notes = test::notes_of(l);
          for (int number = 1; number <= named; ++number) {
            const std::string told = std::to_string(number) + ": ", before = number == 1 ? "" : "; ";
            if (notes.find(before + told) == std::string::npos) continue;
            ++explained;
            EXPECT_TRUE(std::any_of(l.labels.begin(), l.labels.end(),
                                    [&](const Text& label) { return label.text == std::to_string(number); }))
                << name << " at " << width << " x " << height << ": " << number;
          }
        } catch (const NoRoom&) {
        }
  }
  EXPECT_GT(explained, 100u);
}

} // namespace perfmodel::plots::numbered_labels_test
