// Matrix products by the tensor units.
#include "matmul_rungs.hpp"

#include "models/core/facts.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::matmul_tensor_test {

using namespace matmul_rungs;

Gpu feeding() {
  return with_facts(gpu_named("h200"), {{"clock", "2 GHz"},
                                        {"clock.tensor", "2 GHz"},
                                        {"sustained.bf16_tensor_fed", "1 Pflop/s"},
                                        {"sustained.l2", "10 TB/s"},
                                        {"tensor.bf16_start", "1.5 us"},
                                        {"tensor.bf16_start_of_all", "1.5 us"},
                                        {"block.store_drain", "0.001 cycle"}});
}

// n = 1024 in tiles of 128 x 256: 32 of 132 SMs at 2 GHz. 16 steps of 64 are 128 x 256 x 1024 / 2048 = 16 384
// cycles, 8.192 us, behind a start of 1.5 us, which has the stores of a round in it.
TEST(Matmul, a_tile_of_the_tensor_units_takes_its_products_behind_the_start) {
  EXPECT_NEAR(rung(feeding(), Version::tensor_bf16).time.value, 1.5e-6 + 8.192e-6, 1e-9);
}

// What a launch takes beside its sums is 4 us for 8 SMs and 10 us for 128, so 5.2 us for 32, stores of one
// round with it. At 4096 there are four rounds for 132 SMs, at 1 Pflop/s in all 33.83 us each, and the stores
// of three, 865 ns each.
TEST(Matmul, a_launch_of_the_tensor_units_takes_what_it_was_measured_to_take_beside_its_sums) {
  const Gpu gpu =
      with_facts(feeding(), {{"tensor.bf16_start", "4 us"}, {"tensor.bf16_start_of_all", "10 us"}});
  EXPECT_NEAR(rung(gpu, Version::tensor_bf16).time.value, 5.2e-6 + 8.192e-6, 1e-9);
  const double round = 132 * 2. * 128 * 256 * 4096 / 1e15, stores = 65536 * 132 / 10e12,
               last = 2. * 128 * 256 * 4096 / (4096 * 2e9); // 116 SMs, at 2 GHz
  EXPECT_NEAR(rung(gpu, Version::tensor_bf16, 4096).time.value, 10e-6 + 3 * (round + stores) + last, 1e-8);
}

// Fed from L2 the units sustain less than alone, and only that counts.
TEST(Matmul, the_rate_that_counts_is_that_of_units_that_are_fed) {
  const Gpu fed = with_facts(feeding(), {{"sustained.bf16_tensor_fed", "500 Tflop/s"}}),
            alone = with_facts(feeding(), {{"sustained.bf16_tensor", "500 Tflop/s"}});
  EXPECT_DOUBLE_EQ(rung(alone, Version::tensor_bf16, 8192).time.value,
                   rung(feeding(), Version::tensor_bf16, 8192).time.value);
  EXPECT_GT(rung(fed, Version::tensor_bf16, 8192).time, rung(feeding(), Version::tensor_bf16, 8192).time);
}

// With 132 SMs at work the units sustain 885 Tflop/s of the 1081 that 2 GHz would be.
TEST(Matmul, the_power_cap_takes_the_clock_of_all_units_down_and_not_that_of_a_few) {
  const auto time = [](const char* sustained, Count n) {
    return rung(with_facts(gpu_named("h200"), {{"sustained.bf16_tensor_fed", sustained}}),
                Version::tensor_bf16, n)
        .time.value;
  };
  EXPECT_DOUBLE_EQ(time("885 Tflop/s", 1024), time("442 Tflop/s", 1024));
  EXPECT_GT(time("442 Tflop/s", 8192), 1.5 * time("885 Tflop/s", 8192));
}

TEST(Matmul, a_cluster_needs_as_many_sms_as_it_has_blocks) {
  const Gpu one = with_facts(gpu_named("h200"), {{"sm_count", "1"}});
  EXPECT_EQ(error_of([&] { (void)rung(one, Version::tensor_bf16); }),
            "tensor-bf16 runs in clusters of 2 blocks, each on an SM of its own; h200 has 1");
  EXPECT_EQ(ladder(one, 64).size(), 4u) << "the others are there";
}

} // namespace perfmodel::matmul_tensor_test
