// Launches whose blocks do not all do the same.
#include "models/simulate/kernel_time.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/kernel/one_warp.hpp"

#include <gtest/gtest.h>

#include <string>

namespace perfmodel::kernel_time_test {

// Of blocks of 32 warps one warp of those whose number is `which` along x walks 400 lines, each load after
// the one before; all others leave. Cold.
KernelTime walked(const std::string& which, const Shape& grid) {
  static const Gpu gpu = measured_gpu("h200");
  std::string loads;
  for (const char* line : {"", "+0x400", "+0x800", "+0xc00"})
    loads += std::string("LDG.E R8, desc[UR4][R4.64") + line + "]\nFADD R9, R8, R9\n";
  const KernelCode code = read_listing(
      listing_of("S2R R1, SR_CTAID.X\nISETP.NE.AND P1, PT, R1, " + which +
                 ", PT\n@P1 EXIT\nS2R R0, SR_TID.X\nISETP.GE.AND P1, PT, R0, 0x20, PT\n@P1 EXIT\n"
                 "LDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R4, R0, 0x4, R2\nMOV R6, RZ\n.L_1:\n" +
                 loads +
                 "IADD3 R4, P1, R4, 0x1000, RZ\nIADD3.X R5, RZ, R5, RZ, P1, !PT\nIADD3 R6, R6, 0x1, RZ\n"
                 "ISETP.NE.AND P0, PT, R6, 0x64, PT\n@P0 BRA `(.L_1)\nEXIT"),
      "");
  KernelLaunch launch{.grid = grid, .block = {1024, 1, 1}, .arguments = {}};
  launch.arguments = KernelArguments::from_text("data=16MiB");
  Plain plain;
  return kernel_time(gpu, {.code = code, .launch = launch, .data = {}, .last_block = {}}, plain);
}

// One in three hundred, all over the grid: no SM that is simulated would have one. The 102 of them read the
// same lines, which L2 then has.
TEST(KernelTime, a_launch_lasts_as_long_as_the_rare_block_that_works) {
  const double alone = walked("0x0", {1, 1, 1}).time.value;
  const KernelTime rare = walked("0x0", {300, 102, 1});
  constexpr double clock = 1.98e9, dram_latency = 600, l2_latency = 281;
  EXPECT_GT(alone, 400 * dram_latency / clock);
  EXPECT_GT(rare.time.value, 400 * l2_latency / clock);
  EXPECT_LT(rare.time.value, alone);
  EXPECT_EQ(rare.bound, "latency");
}

// Its column of blocks reads the same 400 lines.
TEST(KernelTime, a_column_of_blocks_that_works_reads_what_it_reads) {
  const KernelTime time = walked("0x0", {300, 102, 1});
  EXPECT_DOUBLE_EQ(time.dram_read.value, 400 * 128);
}

// 80 rows of 131 blocks; those of a column, all on different SMs, read the same half a MiB, in all twice what
// L2 holds for all SMs, each warp four times 512 bytes and then those behind the other warps', and multiply
// `products` times in between.
KernelTime columns(int products) {
  static const Gpu gpu = measured_gpu("h200");
  std::string trip;
  for (const char* load : {"R8, desc[UR4][R4.64]", "R12, desc[UR4][R4.64+0x1000]",
                           "R16, desc[UR4][R4.64+0x2000]", "R20, desc[UR4][R4.64+0x3000]"})
    trip += std::string("LDG.E.128 ") + load + "\n";
  for (const char* loaded : {"R8", "R12", "R16", "R20"})
    trip += std::string("FADD R24, R24, ") + loaded + "\n";
  for (int i = 0; i < products; ++i) trip += "FFMA R25, R24, R24, R25\n";
  const KernelCode code = read_listing(
      listing_of("S2R R0, SR_TID.X\nS2R R1, SR_CTAID.X\nLDC.64 R2, c[0x0][0x210]\n"
                 "IMAD.WIDE R4, R1, 0x80000, R2\nIMAD.WIDE R4, R0, 0x10, R4\nMOV R6, RZ\n.L_1:\n" +
                 trip +
                 "IADD3 R4, P1, R4, 0x4000, RZ\nIADD3.X R5, RZ, R5, RZ, P1, !PT\n"
                 "IADD3 R6, R6, 0x1, RZ\nISETP.NE.AND P0, PT, R6, 0x20, PT\n@P0 BRA `(.L_1)\nEXIT"),
      "");
  KernelLaunch launch{.grid = {131, 80, 1}, .block = {256, 1, 1}, .arguments = {}};
  launch.arguments = KernelArguments::from_text("data=66MiB");
  Plain plain;
  return kernel_time(gpu, {.code = code, .launch = launch, .data = {}, .last_block = {}}, plain);
}

// Ten waves, of eight blocks on each SM: in step each reads all of it once, out of step each row of blocks
// about half.
TEST(KernelTime, blocks_go_in_step_where_what_all_sms_share_binds) {
  constexpr double all = 131 << 19;
  const KernelTime quick = columns(0), busy = columns(800);
  EXPECT_TRUE(quick.bound == "L2" || quick.bound == "device memory") << quick.bound;
  EXPECT_NEAR(quick.dram_read.value, quick.waves * all, 1e-6 * quick.waves * all);
  EXPECT_EQ(busy.bound, "issue");
  EXPECT_NEAR(busy.dram_read.value, 40 * all, 5 * all);
}

} // namespace perfmodel::kernel_time_test
