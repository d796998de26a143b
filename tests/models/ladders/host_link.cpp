#include "models/ladders/host_link.hpp"

#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::host_link_test {

constexpr const char* table = "what the host link leaves";
constexpr BytesPerSecond link{6e9};

// Vuduc 2014, slides 3 and 68 to 92: 16 Mi ints, 6 GB/s, 7.7 ms at first, 0.65 ms at last.
std::vector<LeftByLink> lecture() {
  Plain plain;
  const Bytes array{16777216. * 4}, sum{0};
  return with_gains({left_by_link(link, "interleaved", Seconds{7.7e-3}, array, sum, plain),
                     left_by_link(link, "unrolled", Seconds{1.243e-3}, array, sum, plain),
                     left_by_link(link, "grid-stride", Seconds{0.65e-3}, array, sum, plain)},
                    "interleaved");
}

// 67 108 864 B / 6 GB/s = 11.185 ms; 18.885 / 11.835 = 1.5957, where the kernel alone gains 11.8.
TEST(HostLink, leaves_a_gain_of_one_point_six_of_the_lectures_twelve) {
  const std::vector<LeftByLink> rows = lecture();
  EXPECT_NEAR(rows[0].copies.value, 11.185e-3, 1e-6);
  EXPECT_NEAR(rows[0].end_to_end.value, 18.885e-3, 1e-6);
  EXPECT_NEAR(rows[2].total_gain, 1.5957, 1e-4);
  EXPECT_NEAR(rows[1].gain, 18.885 / 12.428, 1e-4);
  EXPECT_NEAR(rows[2].gain, 12.428 / 11.835, 1e-4);
  EXPECT_TRUE(std::isnan(rows[0].gain));
  EXPECT_TRUE(std::isnan(rows[0].total_gain));
  EXPECT_EQ(rows[2].kernel.value, 0.65e-3);
}

// (11.185 + 7.7) / 11.185: a kernel of no time gains no more over the first, and hardly more over the last.
TEST(HostLink, says_what_any_kernel_could_gain_at_most) {
  const std::vector<LeftByLink> rows = lecture();
  EXPECT_NEAR(rows[0].most_gain, 1.6884, 1e-4);
  EXPECT_NEAR(rows[2].most_gain, 1.0581, 1e-4);
  EXPECT_NEAR(rows[2].total_gain * rows[2].most_gain, rows[0].most_gain, 1e-9);
}

TEST(HostLink, leaves_what_the_transfer_model_says_it_leaves) {
  const Result one = ask("transfer", gpu_named("m2090"),
                         {{"bytes", "64MiB"}, {"link", "6GB/s"}, {"before", "7.7ms"}, {"after", "0.65ms"}});
  const Table& gain = table_of(one, "what is left of the gain");
  const LeftByLink last = lecture().back();
  EXPECT_DOUBLE_EQ(gain.at("total_gain").number(0), last.total_gain);
  EXPECT_DOUBLE_EQ(gain.at("total_after").number(0), last.end_to_end.value);
  EXPECT_DOUBLE_EQ(gain.at("most_gain").number(0), lecture().front().most_gain);
}

// One row for each version, at the time of the ladder; nothing where nobody asks.
TEST(HostLink, has_a_row_for_every_version_of_a_ladder) {
  const Gpu& gpu = gpu_named("m2090");
  const Words small{{"n", "256"}, {"link", "6GB/s"}};
  for (const auto& [name, options] :
       {std::pair("reduction", small), std::pair("transpose", small), std::pair("matmul", small)}) {
    const Result answer = ask(name, gpu, options);
    const Table &rungs = table_of(answer, "versions"), &left = table_of(answer, table);
    ASSERT_EQ(left.rows(), rungs.rows()) << name;
    for (std::size_t row = 0; row < left.rows(); ++row) {
      EXPECT_EQ(left.at("version").text(row), rungs.at("version").text(row)) << name;
      EXPECT_EQ(left.at("kernel").number(row), rungs.at("time").number(row)) << name;
    }
    EXPECT_THROW(table_of(ask(name, gpu, {{"n", "256"}}), table), std::runtime_error) << name;
  }
}

// Both ways at 6 GB/s: 2^16 words and one back; two matrices of 256^2 words; three, and of bf16 half of that.
TEST(HostLink, carries_what_each_problem_copies) {
  const auto copies = [&](const char* gpu, const char* model, const char* version, Words options) {
    options.insert(options.end(), {{"link", "6GB/s"}, {"version", version}});
    return number(ask(model, gpu_named(gpu), options), table, "copies") * 6e9;
  };
  EXPECT_NEAR(copies("m2090", "reduction", "grid-stride", {{"n", "65536"}}), 4 * (65536 + 1), 1e-6);
  EXPECT_NEAR(copies("m2090", "transpose", "padded", {{"n", "256"}}), 2 * 4 * 65536, 1e-6);
  EXPECT_NEAR(copies("m2090", "matmul", "tiled", {{"n", "256"}}), 3 * 4 * 65536, 1e-6);
  EXPECT_NEAR(copies("h200", "matmul", "tensor-bf16", {{"n", "256"}}), 3 * 2 * 65536, 1e-6);
}

// The total is over the naive transpose, not over the copy above it.
TEST(HostLink, counts_the_total_of_transposes_from_the_naive_one) {
  const Result answer = ask("transpose", gpu_named("gtx280"), {{"n", "4000"}, {"link", "6GB/s"}});
  const Table& left = table_of(answer, table);
  const std::size_t naive = row_of(left, "version", "naive"), padded = row_of(left, "version", "padded");
  EXPECT_TRUE(std::isnan(left.at("total_gain_left").number(0)));
  EXPECT_EQ(left.at("total_gain_left").number(naive), 1);
  EXPECT_DOUBLE_EQ(left.at("total_gain_left").number(padded),
                   left.at("end_to_end").number(naive) / left.at("end_to_end").number(padded));
}

TEST(HostLink, explains_the_copies_by_bytes_and_link) {
  const Model& m = model("matmul");
  const Gpu& gpu = gpu_named("m2090");
  Request request = request_of(m, {{"n", "256"}, {"link", "6GB/s"}, {"version", "naive"}});
  request.explain = true;
  const Result answer = predict(m, std::span(&gpu, 1), request);
  const auto& steps = answer.derivations.front().steps;
  const auto step = [&](const char* symbol) {
    return std::find_if(steps.begin(), steps.end(), [&](const Step& s) { return s.symbol == symbol; });
  };
  ASSERT_NE(step("copies"), steps.end());
  EXPECT_EQ(step("copies")->formula, "(2 x n x n x 4 B + n x n x 4 B) / link");
  ASSERT_NE(step("end_to_end(naive)"), steps.end());
}

} // namespace perfmodel::host_link_test
