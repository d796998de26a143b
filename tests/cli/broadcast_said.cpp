// One word that all threads of a warp share is told apart from accesses that merely meet no other on a bank.
#include "program.hpp"

#include <gtest/gtest.h>

namespace perfmodel::broadcast_said_test {

std::string answer(const std::string& options) {
  const Answer a = perfmodel(quoted_words("bank-conflicts --hw h200 " + options));
  EXPECT_EQ(a.code, 0) << a.err;
  return a.out;
}

bool says(const std::string& options, const std::string& part) {
  return answer(options).find(part) != std::string::npos;
}

TEST(BroadcastSaid, of_one_word_for_all_threads_of_each_warp) {
  const std::string read = "All threads of a warp read the same word, which is broadcast to them.";
  for (const char* options : {"--stride 0", "--stride 0 --word 8B", "--index 7", "--block 64 --index tid/32",
                              "--index n-1 --let n=5"})
    EXPECT_TRUE(says(options, read)) << options;
  for (const char* options : {"", "--stride 1", "--stride 32", "--index tid", "--index tid/2",
                              "--index tid/16", "--index tid --if 'tid == 3'"})
    EXPECT_FALSE(says(options, "broadcast to them")) << options;
  EXPECT_TRUE(says("--stride 0 --access store", "store to the same word, where one of their values stays."));
  EXPECT_TRUE(says("--stride 0,1", "With stride 0 all threads of a warp read the same word"));
}

} // namespace perfmodel::broadcast_said_test
