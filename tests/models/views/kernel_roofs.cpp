// A launch on the roofline, from its machine code.
#include "models/views/kernel_roofs.hpp"

#include "cli/run.hpp"
#include "hwdb/result_file.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace perfmodel::kernel_roofs_test {

const Table* table_called(const Result& result, std::string_view title) {
  for (const Table& table : result.tables)
    if (table.title == title) return &table;
  return nullptr;
}

Result kernel(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{"kernel", "--hw", "h200", "--format", "json"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::ostringstream out, err;
  EXPECT_EQ(cli::run(words, out, err), 0) << err.str();
  return hwdb::record_from_json(out.str(), "answer").result;
}

// Of each point 5 DADD, 1 DMUL and 1 DFMA, 8 flop; all of 128^3 lanes do them but those on the faces, 126^3.
TEST(KernelRoofs, a_stencil_of_seven_points_does_eight_operations_a_point) {
  const Result result = kernel({"stencil7", "--let", "n=128"});
  const Table* roofs = table_called(result, KernelRoof::title);
  ASSERT_NE(roofs, nullptr);
  ASSERT_EQ(roofs->rows(), 3U); // device memory, L2, L1
  EXPECT_EQ(roofs->at("precision").text(0), "fp64");
  EXPECT_NEAR(roofs->at("flops").number(0), 8.0 * 126 * 126 * 126, 0.02 * 8 * 126 * 126 * 126);
  EXPECT_EQ(roofs->at("roof").text(0), "memory");
  for (std::size_t row = 0; row < 3; ++row) {
    const auto number = [&](const char* name) { return roofs->at(name).number(row); };
    EXPECT_DOUBLE_EQ(number("intensity"), number("flops") / number("bytes"));
    EXPECT_DOUBLE_EQ(number("of_roof"), number("performance") / number("attainable"));
    EXPECT_LT(number("of_roof"), 1);
  }
  EXPECT_GT(roofs->at("bytes").number(2), roofs->at("bytes").number(0)); // L1 is asked for each neighbour
}

// One FFMA an element, 2 flop over the 8 B that are read: x and y.
TEST(KernelRoofs, an_axpy_does_two_operations_an_element) {
  const Result result = kernel({"axpy", "--let", "n=1048576"});
  const Table* roofs = table_called(result, KernelRoof::title);
  ASSERT_NE(roofs, nullptr);
  EXPECT_NEAR(roofs->at("flops").number(0), 2.0 * 1048576, 1);
}

TEST(KernelRoofs, a_copy_does_no_operation_and_has_no_place_there) {
  EXPECT_EQ(table_called(kernel({"copy"}), KernelRoof::title), nullptr);
}

} // namespace perfmodel::kernel_roofs_test
