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

// Halves that become floats (HADD2.F32 of nothing and a half) are no operations: 64 x 512 x 512 multiply-adds
// in fp32 are, and what each of the 32 lanes of a row does with its sums, at most two additions a step of
// five.
TEST(KernelRoofs, a_product_of_halves_in_floats_is_of_fp32_and_conversions_count_nothing) {
  const Result result = kernel({"gemv-batched", "--let", "batch=64,rows=512,columns=512"});
  const Table* roofs = table_called(result, KernelRoof::title);
  ASSERT_NE(roofs, nullptr);
  EXPECT_EQ(roofs->at("precision").text(0), "fp32");
  const double products = 2.0 * 64 * 512 * 512;
  EXPECT_GE(roofs->at("flops").number(0), products);
  EXPECT_LE(roofs->at("flops").number(0), 1.2 * products);
}

TEST(KernelRoofs, a_copy_does_no_operation_and_has_no_place_there) {
  EXPECT_EQ(table_called(kernel({"copy"}), KernelRoof::title), nullptr);
}

std::string verdict_of(const std::vector<std::string>& arguments) {
  return kernel(arguments).verdict.front();
}

// 8 flop over the 16 B that are read and written, some of which stay in L2.
TEST(KernelVerdict, says_where_on_the_roofline_a_launch_stands) {
  const std::string stencil = verdict_of({"stencil7", "--let", "n=256"});
  EXPECT_NE(stencil.find("flop/B of device memory it reaches "), std::string::npos) << stencil;
  EXPECT_NE(stencil.find(" of its roof"), std::string::npos) << stencil;
  EXPECT_EQ(verdict_of({"copy"}).find("flop/B"), std::string::npos);
}

// 32 lanes that hit 256 bins at random: a bank has 3 to 4 of them, in the mean of the worst.
TEST(KernelVerdict, says_what_contention_and_scattered_loads_cost) {
  const std::string shared = verdict_of({"histogram"});
  EXPECT_NE(shared.find(" Conflicts in shared memory: 3."), std::string::npos) << shared;
  const std::string global = verdict_of({"histogram-global", "--let", "n=1048576"});
  EXPECT_NE(global.find(" Atomic operations on a word wait for one another."), std::string::npos) << global;
  const std::string sparse = verdict_of({"spmv", "--let", "rows=65536,length=32"});
  EXPECT_NE(sparse.find(" Loads that go by data scatter: 13.33 sectors a request; 4 where"),
            std::string::npos)
      << sparse;
}

TEST(KernelVerdict, warns_where_accesses_leave_their_arrays) {
  const std::vector<std::string> launch{"vector-copy", "--grid", "4096", "--arg"};
  const auto with = [&](const char* arguments) {
    std::vector<std::string> words = launch;
    words.emplace_back(arguments);
    return verdict_of(words);
  };
  EXPECT_NE(with("out=1KiB,in=4MiB,n=1048576").find("outside of its arrays"), std::string::npos);
  EXPECT_EQ(with("out=4MiB,in=4MiB,n=1048576").find("outside of its arrays"), std::string::npos);
}

} // namespace perfmodel::kernel_roofs_test
