#include "cli/ranking.hpp"
#include "program.hpp"

#include <gtest/gtest.h>

namespace perfmodel::rank_test {

cli::RankedGpu ranked(const char* gpu, double time, Grade grade = Grade::known) {
  return {.gpu = gpu, .title = "", .time = time, .bound = "device memory", .grade = grade};
}

TEST(Rank, the_fastest_comes_first_and_the_others_are_shares_of_it) {
  cli::RankedGpu without = ranked("old", absent);
  without.why_not = "it has no shuffle";
  const Result result =
      cli::ranking("x", {ranked("b", 4e-6), without, ranked("a", 2e-6, Grade::assumed)}, {});
  ASSERT_EQ(result.tables.size(), 2u);
  const Table& order = result.tables[0];
  EXPECT_EQ(order.at("gpu").text(0), "a");
  EXPECT_EQ(order.at("gpu").text(1), "b");
  EXPECT_DOUBLE_EQ(order.at("of_best").number(1), 0.5);
  EXPECT_EQ(result.tables[1].at("why").text(0), "it has no shuffle");
  EXPECT_EQ(result.grade, Grade::assumed);
  EXPECT_EQ(
      result.verdict.at(0),
      "a is the fastest of 2: 2 us, bound by device memory; b takes 2 times as long. Costs of a are assumed. "
      "1 without an answer.");
}

TEST(Rank, a_price_is_that_of_a_million_times) {
  const Result result = cli::ranking("x", {ranked("a", 2e-6), ranked("b", 4e-6)}, {{"a", 36}, {"b", 9}});
  EXPECT_NEAR(result.tables[0].at("price_of_million_runs").number(0), 0.02,
              1e-12); // 36 / 3600 s x 2 us x 1e6
  EXPECT_NEAR(result.tables[0].at("price_of_million_runs").number(1), 0.01, 1e-12);
  EXPECT_NE(result.verdict.at(0).find("b is the cheapest"), std::string::npos);
}

// Operations over the peak, or bytes over the pins' bandwidth, whichever takes longer: by hand from the
// H200's data sheet (66.9 Tflop/s, 4.8 TB/s) and the M2090's (1331 Gflop/s, 177.4 GB/s).
TEST(Rank, work_alone_takes_what_the_roofline_says) {
  const Answer answer = perfmodel(words("rank --flops 1Tflop --bytes 1GB --hw m2090,h200 --format csv"));
  ASSERT_EQ(answer.code, 0) << answer.err;
  const std::vector<std::string> lines = lines_of(answer.out);
  const auto of = [&](const std::string& gpu) {
    for (const std::string& line : lines)
      if (line.starts_with(gpu + ",")) {
        std::istringstream in(line.substr(line.find(',', gpu.size() + 1) + 1));
        double time = 0;
        in >> time;
        return time;
      }
    return 0.0;
  };
  EXPECT_NEAR(of("h200"), 1e12 / 66.9e12, 1e-4);
  EXPECT_NEAR(of("m2090"), 1e12 / 1331e9, 2e-3);
}

TEST(Rank, every_template_is_understood_in_any_size) {
  const hwdb::Database shipped(hwdb::default_folder());
  for (const std::string& name : shipped.template_names()) {
    const KernelTemplate one = shipped.kernel_template(name);
    std::string let;
    for (const auto& [size, usual] : one.sizes.values) // odd ones, too small for the usual blocks
      let += (let.empty() ? "" : ",") + size + "=" + std::to_string(std::min<std::int64_t>(usual, 300));
    const Answer answer = perfmodel({"kernel", name, "--hw", "h200", "--let", let});
    EXPECT_EQ(answer.code, 0) << name << ": " << answer.err;
  }
}

TEST(Rank, a_gpu_that_cannot_run_it_says_why) {
  const Answer answer = perfmodel(words("rank softmax --let rows=64,columns=256 --hw h200,m2090"));
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_NE(answer.out.find("before compute capability 3.0"), std::string::npos);
  const Answer large = perfmodel(words("rank axpy --let n=1000000000 --hw t4,gtx980"));
  EXPECT_NE(large.out.find("does not hold the arrays"), std::string::npos) << large.err;
}

TEST(Rank, wrong_questions_end_in_a_sentence) {
  const auto why = [](const std::string& line) {
    const Answer answer = perfmodel(words(line));
    EXPECT_EQ(answer.code, 2) << line;
    return answer.err;
  };
  EXPECT_NE(why("rank axpi").find("(did you mean 'axpy'?)"), std::string::npos);
  EXPECT_NE(why("rank axpy --let m=4").find("has no size 'm'"), std::string::npos);
  EXPECT_NE(why("rank --let n=4").find("--let gives sizes to a template"), std::string::npos);
  EXPECT_NE(why("rank axpy --flops 3").find("not both"), std::string::npos);
  EXPECT_NE(why("rank --flops 3").find("--bytes is missing"), std::string::npos);
  EXPECT_NE(why("rank axpy --cache cold,warm").find("at one point"), std::string::npos);
  EXPECT_NE(why("rank axpy --let n=2147483648").find("takes at most"), std::string::npos);
  EXPECT_NE(why("rank --flops 3flop --bytes 3B --block 32").find("--block is of a kernel"),
            std::string::npos);
  EXPECT_NE(why("rank axpy --precision fp64").find("--precision is of --flops"), std::string::npos);
  EXPECT_NE(why("rank axpy --hw h200 --price m2090=3").find("not among the GPUs"), std::string::npos);
  EXPECT_NE(why("rank axpy --price h200").find("GPU=NUMBER"), std::string::npos);
  EXPECT_NE(why("rank axpy --price h2000=3").find("unknown GPU"), std::string::npos);
  EXPECT_NE(why("rank softmax --hw m2090").find("no GPU has an answer"), std::string::npos);
}

} // namespace perfmodel::rank_test
