// Local memory, in L1 and beyond.
#include "traced.hpp"

#include "models/simulate/kernel_time.hpp"

#include "tests/models/ask.hpp"

#include "models/core/facts.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace perfmodel::block_trace_test {

// Words of one place lie side by side for the lanes; where each lane takes another, they lie in as many
// lines.
TEST(LocalMemory, at_an_index_of_its_own_each_lane_takes_a_line_of_its_own) {
  const Traced same("STL [R1], R0\nLDL R2, [R1]\nEXIT");
  EXPECT_EQ(same.last(Space::local).wavefronts, 1);
  const Traced apart("S2R R0, SR_TID.X\nIMAD.SHL.U32 R3, R0, 0x4, RZ\nSTL [R3], R0\nLDL R2, [R3]\nEXIT");
  EXPECT_EQ(apart.last(Space::local).wavefronts, 8); // L1 looks up four lines a cycle
}

// An index that is data stays in the table; the answer says that it was taken to be spread.
TEST(LocalMemory, at_an_index_that_is_data_is_counted) {
  const Traced t("LDC.64 R2, c[0x0][0x218]\nS2R R0, SR_TID.X\nIMAD.WIDE R4, R0, 0x4, R2\n"
                 "LDG.E R5, desc[UR4][R4.64]\nIMAD.SHL.U32 R6, R5, 0x4, RZ\nLDL R7, [R6]\nEXIT");
  EXPECT_EQ(t.trace.run.looked_up, 1u);
  EXPECT_EQ(t.trace.run.indexed, 0u);
  EXPECT_EQ(t.last(Space::local).wavefronts, 8);
}

// 16 bytes of a thread lie in four lines, wherever stand-ins for data lead.
TEST(LocalMemory, at_an_index_that_is_data_lies_in_the_frame) {
  const auto lines = [](const std::string& frame) {
    return Traced("LDC R1, c[0x0][0x28]\n" + frame +
                  "LDC.64 R2, c[0x0][0x218]\nS2R R0, SR_TID.X\nIMAD.WIDE R4, R0, 0x4, R2\n"
                  "LDG.E R5, desc[UR4][R4.64]\nLOP3.LUT R5, R5, 0xff, RZ, 0xc0, !PT\n"
                  "IADD3 R6, R1, R5, RZ\nSTL.U8 [R6], R0\nEXIT")
        .last(Space::local)
        .lines;
  };
  EXPECT_LE(lines("VIADD R1, R1, 0xfffffff0\n"), 4);
  EXPECT_LE(lines("IADD3 R1, R1, -0x10, RZ\n"), 4);
  EXPECT_GT(lines(""), 10) << "the frame is not known";
}

// Each lane's word is a part of a sector of its own.
TEST(LocalMemory, in_rows_of_the_lanes_own_is_stored_in_parts_of_sectors) {
  const Traced same("STL [RZ], R0\nEXIT"),
      apart("S2R R0, SR_TID.X\nIMAD.SHL.U32 R3, R0, 0x4, RZ\nSTL [R3], R0\nEXIT");
  EXPECT_EQ(same.last(Space::local).partial, 0);
  EXPECT_EQ(apart.last(Space::local).partial, 32);
  EXPECT_EQ(same.trace.local.changed_lines, 1);
  EXPECT_EQ(apart.trace.local.changed_lines, 32);
}

// Of 256 words of a thread 64 are stored, which device memory has, since all blocks' are more than L2 holds:
// a store of each lane to a row of its own writes 32 sectors that lie apart, at no more than the rate of the
// probe sector-scatter, a third of that at which L2 takes them.
TEST(LocalMemory, in_rows_of_the_lanes_own_is_written_back_sector_by_sector) {
  static const Gpu gpu = measured_gpu("h200");
  std::string text = "S2R R0, SR_TID.X\nIMAD.SHL.U32 R0, R0, 0x4, RZ\n";
  for (int n = 0; n < 64; ++n)
    text += fmt::format("IADD3 R2, R0, {:#x}, RZ\nLOP3.LUT R2, R2, 0x3fc, RZ, 0xc0, !PT\nSTL [R2], R0\n",
                        4 * 37 * n);
  const KernelCode code = read_listing(listing_of(text + "EXIT"), "");
  const KernelLaunch launch{.grid = {132 * 32, 1, 1}, .block = {256, 1, 1}, .arguments = {}};
  Plain plain;
  const KernelTime time =
      kernel_time(gpu, {.code = code, .launch = launch, .data = {}, .last_block = {}}, plain);
  const double stored = 32. * 64 * 8 * 132 * 32; // sectors
  EXPECT_GT(time.dram_written.value, 0.7 * 32 * stored);
  EXPECT_GT(time.time.value, time.dram_written.value / 32 / gpu.at(facts::dram_scatter_rate).value.value);
}

TEST(LocalMemory, that_was_written_is_in_l1) {
  const Traced written("STL [RZ], R0\nLDL R2, [RZ]\nEXIT"), never("LDL R2, [RZ]\nEXIT");
  EXPECT_EQ(written.last(Space::local).sectors, 0);
  EXPECT_EQ(never.last(Space::local).sectors, 4);
}

// Two warps that store a word and load it again, where L1 holds one line: the other warp's comes in between.
TEST(LocalMemory, is_loaded_by_warps_in_turn) {
  Traced t("STL [RZ], R0\nLDL R2, [RZ]\nIADD3 R3, R2, 0x1, RZ\nLDL R2, [RZ]\nIADD3 R3, R2, 0x1, RZ\nEXIT");
  t.launch.block = {64, 1, 1};
  const auto read = [&](double l1_bytes) {
    t.rules.l1_bytes = l1_bytes;
    return BlockTracer(t.code, t.launch, t.rules, {}).trace(1).local.read;
  };
  EXPECT_EQ(read(256), 0) << "both fit";
  EXPECT_GT(read(128), 0);
}

// Three words of each lane, where L1 holds two lines: they are stored, and loaded in the same order, so that
// each is gone when it is asked for. Of the four sectors of a line the first two lines' are written back as
// the others come.
TEST(LocalMemory, that_l1_has_no_room_for_is_written_back_and_read_again) {
  const std::string stores = "STL [RZ], R0\nSTL [RZ+0x4], R0\nSTL [RZ+0x8], R0\n",
                    loads = "LDL R2, [RZ]\nLDL R3, [RZ+0x4]\nLDL R4, [RZ+0x8]\n";
  const auto local = [&](const std::string& code, double l1_bytes) {
    return Traced(code + "EXIT", {}, {.l1 = true}, 0, l1_bytes).trace.local;
  };
  EXPECT_EQ(local(stores + loads, 256).touched, 3 * 4);
  EXPECT_EQ(local(stores + loads, 256).read, 3 * 4);
  EXPECT_EQ(local(stores + loads, 256).written, 3 * 4);
  EXPECT_EQ(local(stores + loads + loads, 256).written, 3 * 4) << "loaded twice, stored once";
  EXPECT_EQ(local(stores + loads, 384).read, 0) << "all three fit";
  EXPECT_EQ(local(stores + loads, 384).written, 0);
  EXPECT_EQ(local(stores, 256).changed, 3 * 4);
  EXPECT_EQ(local(stores, 256).written, 3 * 4) << "what is left goes for the next block";
  EXPECT_EQ(local(stores + "STL [RZ+0x8], R0\n", 256).changed, 3 * 4) << "stored twice, changed once";
}

// Lanes store bytes to the words that lie side by side for them: the next byte goes to the same line.
TEST(LocalMemory, bytes_that_follow_one_another_go_to_l2_together) {
  const Traced byte("STL.U8 [RZ], R0\nEXIT"), two("STL.U8 [RZ], R0\nSTL.U8 [RZ+0x1], R0\nEXIT");
  EXPECT_EQ(byte.last(Space::local).sectors, 4);
  EXPECT_EQ(byte.last(Space::local).partial, 4);
  EXPECT_EQ(byte.last(Space::local).opened_back, 0);
  EXPECT_EQ(two.last(Space::local).opened_back, 1);
  EXPECT_EQ(Traced("STL [RZ], R0\nEXIT").last(Space::local).partial, 0);
}

// A table of 660 bytes of each thread that is filled and hardly read, as of colours: it goes through L1 and
// L2, which hold a part of it, to device memory.
TEST(LocalMemory, that_is_stored_and_not_read_again_is_written_back) {
  static const Gpu gpu = measured_gpu("h200");
  std::string stores;
  for (int n = 0; n < 165; ++n) stores += fmt::format("STL [RZ+{:#x}], R0\n", 4 * n);
  const KernelCode code = read_listing(listing_of(stores + "EXIT"), "");
  const auto launched = [&](std::int64_t blocks) {
    const KernelLaunch launch{.grid = {blocks, 1, 1}, .block = {256, 1, 1}, .arguments = {}};
    Plain plain;
    return kernel_time(gpu, {.code = code, .launch = launch, .data = {}, .last_block = {}}, plain);
  };
  const double of_block = 256. * 660; // bytes
  EXPECT_EQ(launched(132).dram_written.value, 0) << "L1 holds all of it";
  const KernelTime many = launched(132 * 160);
  EXPECT_GT(many.dram_written.value, 0.9 * of_block * 132 * 160);
  EXPECT_GT(many.time.value, many.dram_written.value / gpu.at(facts::dram_bandwidth).value.value);
}

// 256 KiB of each block, stored and loaded in the same order: L1 has room for less than one of them, L2 for
// those of an eighth of the SMs.
TEST(LocalMemory, that_l2_has_no_room_for_comes_from_device_memory) {
  static const Gpu gpu = measured_gpu("h200");
  const std::string walk =
      "MOV R3, RZ\n.L_N:\nOP\nIADD3 R3, R3, 0x4, RZ\nISETP.NE.AND P0, PT, R3, 0x800, PT\n"
      "@P0 BRA `(.L_N)\n";
  const auto loop = [&](char number, const std::string& operation) {
    std::string text = walk;
    for (std::size_t at; (at = text.find("L_N")) != std::string::npos;) text[at + 2] = number;
    return text.replace(text.find("OP"), 2, operation);
  };
  const KernelCode code =
      read_listing(listing_of(loop('1', "STL [R3], R0") + loop('2', "LDL R5, [R3]") + "EXIT"), "");
  const auto launched = [&](std::int64_t blocks) {
    KernelLaunch launch{.grid = {blocks, 1, 1}, .block = {128, 1, 1}, .arguments = {}};
    launch.arguments = KernelArguments::from_text("data=1MiB");
    Plain plain;
    return kernel_time(gpu, {.code = code, .launch = launch, .data = {}, .last_block = {}}, plain);
  };
  const double of_block = 128. * 0x800; // bytes
  const KernelTime few = launched(132), many = launched(132 * 16);
  EXPECT_EQ(few.dram_read.value, 0) << "L1 holds all of it";
  EXPECT_GT(many.dram_read.value, 0.5 * of_block * 132 * 16);
  EXPECT_LT(many.dram_read.value, of_block * 132 * 16);
  EXPECT_NEAR(many.dram_written.value / many.dram_read.value, 1, 0.01);
}

// 338 KB of each block, more than L1 has: what 66 blocks have L2 holds, though more blocks would fit on the
// SMs.
TEST(LocalMemory, is_that_of_the_blocks_that_there_are) {
  static const Gpu gpu = measured_gpu("h200");
  std::string stores;
  for (int n = 0; n < 330; ++n) stores += fmt::format("STL [RZ+{:#x}], R0\n", 4 * n);
  const KernelCode code = read_listing(listing_of(stores + "EXIT"), "");
  const auto written = [&](std::int64_t blocks) {
    const KernelLaunch launch{.grid = {blocks, 1, 1}, .block = {256, 1, 1}, .arguments = {}};
    Plain plain;
    return kernel_time(gpu, {.code = code, .launch = launch, .data = {}, .last_block = {}}, plain)
        .dram_written.value;
  };
  EXPECT_EQ(written(66), 0);
  EXPECT_GT(written(66 * 16), 0);
}

} // namespace perfmodel::block_trace_test
