// The functions of a listing, by the names that launches have for them.
#include "models/views/listing_functions.hpp"

#include <gtest/gtest.h>

namespace perfmodel::listing_functions_test {

std::string in_anonymous(const char* hash, const char* file, const char* function) {
  return std::string("_ZN44_GLOBAL__N__") + hash + file + hash + function;
}

TEST(ListingFunctions, one_in_an_anonymous_namespace_is_found_when_its_file_was_compiled_anew) {
  const char *blur = "4blurEPf", *file = "_11_stencils_cu_";
  const std::string code = "/*0000*/ EXIT ;\n";
  const std::string once = in_anonymous("fe3aaf5b", file, blur), anew = in_anonymous("00112233", file, blur);
  ListingFunctions one(".text." + once + ":\n" + code);
  EXPECT_TRUE(one.contain(once));
  EXPECT_TRUE(one.contain(anew));
  EXPECT_EQ(one.of({.kernel = anew}).name, once);
  EXPECT_FALSE(one.contain(in_anonymous("fe3aaf5b", file, "4warpEPf"))) << "another function";
  EXPECT_FALSE(one.contain(in_anonymous("fe3aaf5b", "_11_stencil2_cu_", blur))) << "of another file";
  EXPECT_FALSE(one.contain("_Z4blurPf"));
  ListingFunctions two(".text." + once + ":\n" + code + ".text." + in_anonymous("44556677", file, blur) +
                       ":\n" + code);
  EXPECT_TRUE(two.contain(once));
  EXPECT_FALSE(two.contain(anew)) << "which of two is not known";
}

} // namespace perfmodel::listing_functions_test
