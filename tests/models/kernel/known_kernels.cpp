#include "models/kernel/known_kernels.hpp"

#include "models/simulate/opcode_class.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

// What stands in hwdb/kernels is understood, so that a ladder finds its kernels on every GPU.
namespace perfmodel::known_kernels_test {

TEST(KnownKernels, all_say_what_compiled_them_and_what_their_threads_and_blocks_take) {
  ASSERT_FALSE(known_listings().empty());
  for (const KnownListing& listing : known_listings()) {
    const auto functions = functions_of(listing.text);
    ASSERT_FALSE(functions.empty()) << listing.family;
    EXPECT_EQ(listing.text.substr(0, 13), "// compiler: ") << listing.family;
    for (const std::string& name : functions) {
      const KernelCode& code = known_kernel(listing.family, name, listing.capability);
      EXPECT_EQ(code.name, name);
      EXPECT_EQ(code.capability, static_cast<int>(10 * listing.capability)) << name;
      EXPECT_TRUE(code.has_encoding) << name;
      EXPECT_TRUE(code.registers && *code.registers > 0) << name;
      EXPECT_TRUE(code.shared.has_value()) << name;
      EXPECT_TRUE(code.parameter_base && !code.parameters.empty()) << name;
      // Tensor copies and asynchronous barriers are not understood yet: of the kernel that has them counts
      // what it takes of an SM (models/ladders/transpose_boxes.hpp).
      if (name.find("through_boxes") != std::string::npos) continue;
      if (name.find("cluster_rotation") != std::string::npos) continue; // nor are barriers of clusters
      for (const Instruction& i :
           code.instructions) // but for a question that only addresses of shared memory meet
        EXPECT_TRUE(i.opcode == "QSPC" || !class_of(i).empty()) << name << ": " << i.text;
    }
  }
}

TEST(KnownKernels, of_another_compute_capability_is_the_code_that_there_is) {
  const KernelCode& own = known_kernel("reduction", "sum_sequentialIjE", 9.0);
  EXPECT_EQ(&known_kernel("reduction", "sum_sequentialIjE", 9.0), &own) << "read once";
  EXPECT_EQ(&known_kernel("reduction", "sum_sequentialIjE", 1.3), &own);
  EXPECT_EQ(&known_kernel("reduction", "sum_sequentialIjE", 12.0), &own);
}

TEST(KnownKernels, taken_for_another_gpus_own_are_said_to_be_so) {
  EXPECT_EQ(foreign_code("reduction", 9.0), "");
  EXPECT_EQ(foreign_code("reduction", 2.0), "machine code of cc 9.0");
}

TEST(KnownKernels, one_that_is_not_there_is_refused) {
  EXPECT_EQ(error_of([] { known_kernel("sorting", "any", 9.0); }),
            "no kernels of sorting are known (hwdb/kernels)");
  EXPECT_NE(
      error_of([] { known_kernel("reduction", "sum_backwards", 9.0); }).find("no function of this listing"),
      std::string::npos);
}

} // namespace perfmodel::known_kernels_test
