#include "models/core/model.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace perfmodel::nearest_test {

const std::vector<std::string> gpus{"m2090", "c2050",    "gtx280",        "gtx260",
                                    "h200",  "h100-sxm", "dram.bandwidth"};

TEST(Nearest, one_slip_of_each_kind_is_understood) {
  EXPECT_EQ(nearest("m209", gpus), "m2090");   // a letter left out
  EXPECT_EQ(nearest("m20900", gpus), "m2090"); // one too many
  EXPECT_EQ(nearest("m2091", gpus), "m2090");  // another one
  EXPECT_EQ(nearest("m2009", gpus), "m2090");  // neighbours swapped
  EXPECT_EQ(nearest("dram.bandwith", gpus), "dram.bandwidth");
  EXPECT_EQ(nearest("dram.bnadwidht", gpus), "dram.bandwidth"); // two swaps are two slips
}

TEST(Nearest, case_and_separators_are_no_slips) {
  EXPECT_EQ(nearest("H100_SXM", gpus), "h100-sxm");
  EXPECT_EQ(nearest("h100 sxm", gpus), "h100-sxm");
}

TEST(Nearest, a_word_that_is_far_from_all_has_no_neighbour) {
  EXPECT_EQ(nearest("banana", gpus), "");
  EXPECT_EQ(nearest("x", gpus), "");
  EXPECT_EQ(nearest("l40s", std::vector<std::string>{"k40"}), ""); // two of four letters
  EXPECT_EQ(nearest(std::string(65, 'm'), gpus), "");
  EXPECT_EQ(nearest("m2090", std::vector<std::string>{}), "");
}

TEST(Nearest, of_two_neighbours_the_nearer_one_wins) {
  EXPECT_EQ(nearest("gtx261", gpus), "gtx260");
  EXPECT_EQ(nearest("gtx281", gpus), "gtx280");
}

TEST(Nearest, a_suggestion_is_a_question_or_nothing) {
  EXPECT_EQ(suggestion("m209", gpus), " (did you mean 'm2090'?)");
  EXPECT_EQ(suggestion("banana", gpus), "");
}

} // namespace perfmodel::nearest_test
