// Listings side by side.
#include "program.hpp"

#include <gtest/gtest.h>

namespace perfmodel::compared_listings_test {

TEST(ComparedListings, the_fastest_is_told_of_kernels_that_do_the_same_work) {
  const Answer same = perfmodel(words("kernel softmax,softmax-online --hw h200 --let rows=64,columns=512"));
  EXPECT_EQ(same.out.substr(0, 18), "Fastest is softmax");
  const Answer others = perfmodel(words("kernel axpy,histogram-global --hw h200 --let n=4096"));
  EXPECT_EQ(others.out.substr(0, 11), "axpy takes ");
  EXPECT_NE(others.out.find("do different"), std::string::npos);
}

TEST(ComparedListings, the_only_kernel_of_a_listing_may_be_given_as_nothing) {
  EXPECT_EQ(perfmodel({"kernel", "--kernel", "", "--hw", "h200", "--grid", "4"}).code, 0);
}

} // namespace perfmodel::compared_listings_test
