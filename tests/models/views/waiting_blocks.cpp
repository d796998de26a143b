// A kernel whose blocks wait for one another is answered, and says what that assumes.
#include "models/views/kernel.hpp"

#include "cli/run.hpp"
#include "hwdb/result_file.hpp"
#include "models/core/facts.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/kernel/one_warp.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace perfmodel::waiting_blocks_test {

constexpr std::string_view begin = "S2R R0, SR_CTAID.X\n"
                                   "MOV R8, 0x4\n"
                                   "IMAD.WIDE R4, R0, R8, c[0x0][0x210]\n"
                                   "MOV R7, 0x1\n"
                                   "ISETP.EQ.AND P1, PT, R0, RZ, PT\n"
                                   "@P1 BRA `(.L_first)\n",
                           wait = ".L_wait:\n"
                                  "LDG.E.STRONG.GPU R6, [R4.64+-0x4]\n"
                                  "ISETP.EQ.AND P0, PT, R6, RZ, PT\n"
                                  "@P0 BRA `(.L_wait)\n",
                           ask_once = "LDG.E.STRONG.GPU R6, [R4.64+-0x4]\n"
                                      "ISETP.EQ.AND P0, PT, R6, RZ, PT\n"
                                      "@P0 EXIT\n",
                           end = "IADD3 R7, R6, 0x1, RZ\n"
                                 ".L_first:\n"
                                 "STG.E.STRONG.GPU [R4.64], R7\n"
                                 "EXIT";

struct Answered {
  int code = 0;
  std::string answer, error;
};

Answered answered(std::string_view middle, const std::string& grid = "600", const std::string& block = "32") {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "waiting_blocks.sass";
  std::ofstream(file) << listing_of(std::string(begin) + std::string(middle) + std::string(end));
  std::ostringstream out, err;
  const int code = cli::run({"kernel", file.string(), "--grid", grid, "--block", block, "--arg", "a=64KiB",
                             "--hw", "h200", "--format", "json"},
                            out, err);
  std::filesystem::remove(file);
  return {code, out.str(), err.str()};
}

TEST(WaitingBlocks, a_chain_of_blocks_is_answered) {
  const Answered made = answered(wait);
  ASSERT_EQ(made.code, 0) << made.error;
  const Result result = hwdb::record_from_json(made.answer, "answer").result;
  EXPECT_NE(result.tables.front().at("assumes").text(0).find("of what earlier blocks left"),
            std::string::npos);
}

// Two blocks of 1024 threads are resident on each of 132 SMs. Each wave after the first takes longer by what
// the probe look-back has measured.
TEST(WaitingBlocks, each_wave_looks_back) {
  const auto time = [](const std::string& grid) {
    return hwdb::record_from_json(answered(wait, grid, "1024").answer, "answer")
        .result.tables.front()
        .at("time")
        .number(0);
  };
  const Gpu h200 = measured_gpu("h200");
  const double a_wave = (h200.at(facts::block_look_back).value / h200.at(facts::clock).value).value;
  EXPECT_GT(a_wave, 1e-6);
  EXPECT_GT(time("2640") - time("528"), 8 * a_wave);
  EXPECT_LT(time("2640") - time("528"), 16 * a_wave);
  EXPECT_LT(time("264"), 8e-6) << "one wave";
}

TEST(WaitingBlocks, what_others_write_is_not_known_where_nobody_waits_for_it) {
  const Answered made = answered(ask_once);
  EXPECT_EQ(made.code, 2);
  EXPECT_NE(made.error.find("goes by data that is loaded"), std::string::npos) << made.error;
}

} // namespace perfmodel::waiting_blocks_test
