// `hw show GPU FACT`: single facts of a GPU, and groups of them.
#include "program.hpp"

#include <gtest/gtest.h>

namespace perfmodel::hw_show_test {

TEST(HwShow, a_fact_alone_is_said_in_a_sentence_with_its_sources_below) {
  const Answer a = perfmodel(words("hw show m2090 dram.bandwidth"));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(lines_of(a.out).front(),
            "dram.bandwidth: 177.4 GB/s, pin bandwidth: bus width x data rate (secondary).");
  EXPECT_NE(a.out.find("techpowerup.com"), std::string::npos) << a.out;
  EXPECT_EQ(a.out.find("dram.bus"), std::string::npos) << a.out;
}

TEST(HwShow, a_group_is_all_facts_that_begin_so) {
  const Answer group = perfmodel(words("hw show m2090 dram"));
  EXPECT_EQ(group.out, perfmodel(words("hw show m2090 dram.")).out);
  EXPECT_NE(group.out.find("  dram.bus "), std::string::npos) << group.out;
  EXPECT_EQ(group.out.find("  clock "), std::string::npos) << group.out;
  const Answer both = perfmodel(words("hw show m2090 clock dram.bus --format csv"));
  EXPECT_EQ(both.out.find("\nclock.core,"), std::string::npos) << "clock is a fact itself: " << both.out;
  EXPECT_NE(perfmodel(words("hw show m2090 clock.")).out.find("\n  clock.core "), std::string::npos);
  EXPECT_NE(both.out.find("\nclock,"), std::string::npos) << both.out;
  EXPECT_NE(both.out.find("\ndram.bus,"), std::string::npos) << both.out;
  EXPECT_EQ(both.out.find("\ndram.size,"), std::string::npos) << both.out;
}

TEST(HwShow, what_there_is_not_is_refused) {
  const auto why = [](const std::string& line) {
    const Answer a = perfmodel(words(line));
    EXPECT_EQ(a.code, 2) << line;
    EXPECT_EQ(a.out, "") << line;
    return a.err;
  };
  EXPECT_EQ(why("hw show m2090 dram.bandwith"),
            "perfmodel: unknown fact 'dram.bandwith' (did you mean 'dram.bandwidth'?); 'perfmodel hw keys' "
            "lists all\n");
  EXPECT_EQ(
      why("hw show m2090 clock block.launch"),
      "perfmodel: m2090: nobody has stated or measured block.launch; 'perfmodel hw costs m2090' has what "
      "is taken for it\n");
  EXPECT_EQ(why("hw show m2090 peak.fp8_tensor"),
            "perfmodel: m2090: nobody has stated or measured peak.fp8_tensor\n");
}

} // namespace perfmodel::hw_show_test
