// What holds for the rule of occupancy on every capability, whatever the numbers.
#include "models/concurrency/resident_blocks.hpp"

#include "models/concurrency/sm_resources.hpp"
#include "tests/models/nvidia_gpus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::resident_blocks_properties_test {

// On every capability, over whatever axis: asking for more never lets more blocks in.
template <class Change> void expect_never_rises(const char* what, Launch launch, int steps, Change change) {
  for (const std::string& cc : every_compute_capability()) {
    const SmResources<Plain> sm = sm_resources(database().architecture(cc));
    double last = no_limit;
    for (int step = 0; step <= steps; ++step) {
      change(launch, step);
      const double now = occupancy(sm, launch).blocks;
      EXPECT_LE(now, last) << cc << ": " << what << " " << step;
      last = now;
    }
    EXPECT_EQ(last, 0) << cc << ": " << what << " ends where nothing launches";
  }
}

TEST(ResidentBlocks, occupancy_never_rises_with_registers) {
  for (const double threads : {32, 96, 256, 1024})
    expect_never_rises("registers", {.threads_per_block = threads}, 256,
                       [](Launch& l, int step) { l.registers_per_thread = step; });
}

TEST(ResidentBlocks, blocks_never_rise_with_threads_shared_memory_or_barriers) {
  expect_never_rises("threads", {.registers_per_thread = 20}, 1025,
                     [](Launch& l, int step) { l.threads_per_block = step + 1; });
  expect_never_rises("shared memory", {.threads_per_block = 64}, 240 * 4,
                     [](Launch& l, int step) { l.shared_per_block = Bytes(step * 256); });
  for (const char* cc : {"9.0", "12.1"}) {
    const SmResources<Plain> sm = sm_resources(database().architecture(cc));
    double last = no_limit;
    for (int barriers = 0; barriers <= 16; ++barriers) {
      const double now = occupancy(sm, {.barriers_per_block = static_cast<double>(barriers)}).blocks;
      EXPECT_LE(now, last) << cc << ": " << barriers;
      last = now;
    }
    EXPECT_EQ(last, std::string(cc) == "9.0" ? 4 : 1) << cc << ": as many barriers as a block may name";
  }
}

TEST(ResidentBlocks, no_sm_holds_more_than_its_slots) {
  for (const std::string& name : every_compute_capability()) {
    const Gpu cc = database().architecture(name);
    const SmResources<Plain> sm = sm_resources(cc);
    for (double threads = 1; threads <= cc.at(facts::max_threads_per_block).value; ++threads) {
      const Occupancy o = occupancy(sm, {.threads_per_block = threads, .registers_per_thread = 16});
      EXPECT_GT(o.blocks, 0) << name << ": " << threads;
      EXPECT_LE(o.occupancy, 1) << name << ": " << threads;
      EXPECT_LE(o.threads, cc.at(facts::max_threads_per_sm).value) << name << ": " << threads;
      EXPECT_TRUE(o.binds(o.limiter)) << name << ": " << threads;
    }
  }
}

// The last register that fits and the first that does not, at every edge there is, from the units alone.
TEST(ResidentBlocks, both_sides_of_every_edge_of_the_h200s_registers) {
  const SmResources<Plain> sm = sm_resources(database().architecture("9.0"));
  const auto blocks = [&](double registers) {
    return occupancy(sm, {.threads_per_block = 32, .registers_per_thread = registers}).blocks;
  };
  double edges = 0;
  for (double registers = 8; registers < 255; registers += 8) {
    const double at = blocks(registers), above = blocks(registers + 1);
    const double warps = 4 * std::floor(16384 / (registers * 32)),
                 next = 4 * std::floor(16384 / ((registers + 8) * 32));
    EXPECT_EQ(at, std::min(32.0, warps)) << registers;
    EXPECT_EQ(above, std::min(32.0, next)) << registers + 1;
    edges += at > above ? 1 : 0;
  }
  EXPECT_EQ(edges, 6) << "28, 24, 20, 16, 12 and 8 blocks come after 32";
}

// The steps that --explain prints are computed by the same code.
TEST(ResidentBlocks, the_explanation_ends_in_the_same_numbers) {
  for (const Gpu& gpu : every_nvidia_gpu())
    for (const double registers : {0.0, 21.0, 40.0}) {
      const Launch launch{
          .threads_per_block = 192, .registers_per_thread = registers, .shared_per_block = Bytes(3000)};
      Recorder recorder;
      const Occupancy told = explained_occupancy(gpu, launch, recorder), plain = occupancy(gpu, launch);
      EXPECT_EQ(told.blocks, plain.blocks) << gpu.name;
      EXPECT_EQ(told.allowed, plain.allowed) << gpu.name;
      double blocks = absent, share = absent;
      for (const Step& step : recorder.derivation.steps) {
        if (step.symbol == "blocks") blocks = step.value;
        if (step.symbol == "occupancy") share = step.value;
      }
      EXPECT_EQ(blocks, plain.blocks) << gpu.name;
      EXPECT_DOUBLE_EQ(share, plain.occupancy) << gpu.name;
    }
}

} // namespace perfmodel::resident_blocks_properties_test
