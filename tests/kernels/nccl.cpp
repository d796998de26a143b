// NCCL is found at run time, or not, without any GPU.
#include "kernels/core/nccl.hpp"

#include "tests/models/error_of.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace perfmodel::kernels::nccl_test {

std::string error_with(const char* library) {
  ::setenv("PERFMODEL_NCCL", library, 1);
  std::string said;
  try {
    const Nccl nccl;
  } catch (const Unavailable& e) {
    said = e.what();
  }
  ::unsetenv("PERFMODEL_NCCL");
  return said;
}

TEST(Nccl, a_machine_without_it_says_how_to_get_it) {
  EXPECT_EQ(error_with("/nowhere/libnccl.so.2"),
            "NCCL was not found (/nowhere/libnccl.so.2); install it, or set PERFMODEL_NCCL to the file");
}

TEST(Nccl, one_that_is_too_old_is_told_by_the_function_that_it_lacks) {
  EXPECT_EQ(error_with(PERFMODEL_OLD_NCCL),
            std::string(PERFMODEL_OLD_NCCL) + " has no ncclSend: NCCL 2.7 or later is needed");
}

TEST(Nccl, an_error_is_told_in_the_words_of_the_library) {
  ::setenv("PERFMODEL_NCCL", PERFMODEL_FAKE_NCCL, 1);
  const Nccl nccl;
  ::unsetenv("PERFMODEL_NCCL");
  EXPECT_EQ(nccl.version(), "2.27.3");
  std::string said;
  try {
    nccl.check(nccl.init_all(nullptr, 0, nullptr), "ncclCommInitAll");
  } catch (const MachineError& e) {
    said = e.what();
  }
  EXPECT_EQ(said, "ncclCommInitAll: unhandled system error");
}

// NCCL_VERSION_CODE of nccl.h, which changed its places at 2.9.
TEST(Nccl, its_version_is_read_before_and_after_the_code_changed) {
  EXPECT_EQ(nccl_version(2708), "2.7.8");
  EXPECT_EQ(nccl_version(20908), "2.9.8");
  EXPECT_EQ(nccl_version(22703), "2.27.3");
}

} // namespace perfmodel::kernels::nccl_test
