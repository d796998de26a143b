#include "models/simulate/kernel_costs.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/kernel/one_warp.hpp"

#include "models/core/trace.hpp"

#include <gtest/gtest.h>

namespace perfmodel::kernel_costs_test {

double launcher_interval(const char* gpu, std::string_view code) {
  Plain trace;
  return costs_of(measured_gpu(gpu), read_listing(listing_of(code), ""), {}, trace)
      .sm.machine.device_interval;
}

// griddepcontrol.launch_dependents: on an H200 of 28 November 2026 one block every 2.38 cycles instead
// of 1.19. Before cc 9.0 there is no such instruction, and a listing that has it says nothing of such a GPU.
TEST(KernelCosts, a_block_that_lets_the_next_kernel_begin_keeps_the_launcher_longer) {
  EXPECT_NEAR(launcher_interval("h200", "PREEXIT\nEXIT") / launcher_interval("h200", "EXIT"), 2, 0.05);
  EXPECT_DOUBLE_EQ(launcher_interval("a100-80", "PREEXIT\nEXIT"), launcher_interval("a100-80", "EXIT"));
}

// Compilers make addresses with IMAD.WIDE, which holds its scheduler beside its slot (probe queued-issue); a
// product of 32 bits does not.
TEST(KernelCosts, products_of_64_bits_hold_a_scheduler_beside_their_slot) {
  const Gpu gpu = measured_gpu("h200");
  Plain trace;
  const KernelCode code =
      read_listing(listing_of("IMAD.WIDE R2, R4, 0x4, R6\nIMAD R5, R4, R7, R6\nEXIT"), "");
  const auto& classes = costs_of(gpu, code, {}, trace).sm.instructions;
  EXPECT_DOUBLE_EQ(classes.at("imulhi").issue, gpu.at(facts::issue_high_product).value.value);
  EXPECT_DOUBLE_EQ(classes.at("imad").issue, 0);
}

} // namespace perfmodel::kernel_costs_test
