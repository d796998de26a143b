// Pictures compared byte for byte. PERFMODEL_UPDATE_GOLDEN=1 rewrites them; look at the diff, and at the
// pictures.
#include "charts.hpp"

#include "plots/output/svg.hpp"
#include "plots/output/terminal.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace perfmodel::plots::golden_test {

void expect_golden(const std::string& file, const std::string& actual) {
  const auto path = std::filesystem::path(PERFMODEL_GOLDEN_DIR) / "plots" / file;
  if (const char* update = std::getenv("PERFMODEL_UPDATE_GOLDEN"); update && std::string(update) == "1") {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  std::stringstream expected;
  expected << in.rdbuf();
  EXPECT_TRUE(expected.str() == actual) << file << " differs: PERFMODEL_UPDATE_GOLDEN=1 rewrites it";
}

Chart chart(const std::string& wanted) {
  for (auto& [name, c] : test::all_charts())
    if (name == wanted) return c;
  throw std::logic_error("no chart " + wanted);
}

TEST(Golden, pictures_are_the_same_byte_for_byte) {
  expect_golden("one_device.svg", to_svg(chart("one device")));
  expect_golden("sweep.svg", to_svg(chart("a sweep")));
  expect_golden("five_devices.svg", to_svg(chart("five devices")));
  expect_golden("odd_kernels.svg", to_svg(chart("odd kernels")));
  expect_golden("matmul_ladder.svg", to_svg(chart("measured matmul ladder")));
  expect_golden("upright_ladder.svg", to_svg(chart("upright ladder")));
  expect_golden("four_lines.svg", to_svg(chart("four lines")));
  expect_golden("curve.svg", to_svg(chart("curve")));
  expect_golden("staircase.svg", to_svg(chart("staircase")));
  expect_golden("ladder.svg", to_svg(chart("ladder")));
}

TEST(Golden, terminal_pictures_are_the_same_byte_for_byte) {
  expect_golden("one_device_80.txt", to_terminal(chart("one device"), 80));
  expect_golden("sweep_100.txt", to_terminal(chart("a sweep"), 100));
  expect_golden("four_lines_80.txt", to_terminal(chart("four lines"), 80));
}

} // namespace perfmodel::plots::golden_test
