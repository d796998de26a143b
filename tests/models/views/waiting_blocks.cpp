// A kernel whose blocks wait for one another is answered, and says what that assumes.
#include "models/views/kernel.hpp"

#include "cli/run.hpp"
#include "hwdb/result_file.hpp"
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

Answered answered(std::string_view middle) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "waiting_blocks.sass";
  std::ofstream(file) << listing_of(std::string(begin) + std::string(middle) + std::string(end));
  std::ostringstream out, err;
  const int code = cli::run({"kernel", file.string(), "--grid", "600", "--block", "32", "--arg", "a=4KiB",
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

TEST(WaitingBlocks, what_others_write_is_not_known_where_nobody_waits_for_it) {
  const Answered made = answered(ask_once);
  EXPECT_EQ(made.code, 2);
  EXPECT_NE(made.error.find("goes by data that is loaded"), std::string::npos) << made.error;
}

} // namespace perfmodel::waiting_blocks_test
