#include "models/simulate/l1_room.hpp"

#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

namespace perfmodel::l1_room_test {

L1Room room_of(const Gpu& gpu, double blocks, double shared) {
  Occupancy held{};
  held.blocks = blocks;
  held.shared_allocated = Bytes(shared);
  Plain plain;
  return l1_room(gpu, held, plain);
}

constexpr double KiB = 1024;

// 256 KiB of an H200, with eight blocks that take 1 KiB each, and with eight of 5 KiB: the next step is 64.
TEST(L1Room, is_what_shared_memory_leaves_in_steps) {
  const Gpu gpu = measured_gpu("h200");
  EXPECT_DOUBLE_EQ(room_of(gpu, 8, KiB).bytes, 248 * KiB);
  EXPECT_DOUBLE_EQ(room_of(gpu, 8, 5 * KiB).bytes, 192 * KiB);
}

// Rings of one thread leave room for 32 blocks: of 224 KiB 216 are found again, of 320 nothing. Rows of warps
// in blocks of 256 threads have 248 KiB: 0.25 of 154 kB were lost and 0.75 of 262 kB.
TEST(L1Room, an_h200_loses_rows_of_warps_out_of_step_little_by_little) {
  const L1Room room = room_of(measured_gpu("h200"), 8, KiB);
  EXPECT_NEAR(room.in_step.first, 216.0 / 224, 0.001);
  EXPECT_NEAR(room.in_step.last, 320.0 / 224, 0.001);
  const auto lost = [&](double bytes) {
    return (bytes / room.bytes - room.out_of_step.first) / (room.out_of_step.last - room.out_of_step.first);
  };
  EXPECT_NEAR(lost(154.35e3), 0.25, 0.001);
  EXPECT_NEAR(lost(261.57e3), 0.75, 0.001);
}

// In blocks of 128 threads, sixteen of which leave 240 KiB: a twentieth of 114.8 kB was lost, a fifth of
// 167.9.
TEST(L1Room, an_h200_loses_less_of_its_threads_own_arrays) {
  const L1Room room = room_of(measured_gpu("h200"), 16, KiB);
  const auto lost = [&](double bytes) {
    return (bytes / room.bytes - room.own.first) / (room.own.last - room.own.first);
  };
  EXPECT_NEAR(lost(114.8e3), 0.05, 0.001);
  EXPECT_NEAR(lost(167.9e3), 0.2, 0.001);
}

TEST(L1Room, one_warp_is_in_step_and_many_are_not) {
  const L1Room room{.bytes = 1e5, .in_step = {1, 1.5}, .out_of_step = {0.4, 1.2}, .own = {}};
  EXPECT_EQ(spread_of(room, 1), room.in_step);
  EXPECT_DOUBLE_EQ(spread_of(room, 2).first, 0.7);
  EXPECT_NEAR(spread_of(room, 1e6).last, 1.2, 1e-5);
}

// Whatever a GPU inherits: nothing is lost of more than L1 holds, and what is lost grows.
TEST(L1Room, of_any_gpu_that_has_one_is_sound) {
  for (const char* const name : {"t4", "a100-40", "v100", "rtx4090", "b200", "m2090", "gtx980"}) {
    const Gpu gpu = measured_gpu(name);
    if (!gpu.find(facts::l1_size)) continue;
    const L1Room room = room_of(gpu, 4, 2 * KiB);
    EXPECT_GE(room.bytes, 16 * KiB) << name;
    for (const L1Spread& spread : {room.in_step, room.out_of_step, room.own}) {
      EXPECT_GE(spread.first, 0) << name;
      EXPECT_LE(spread.first, 1) << name;
      EXPECT_GE(spread.last, spread.first) << name;
    }
    EXPECT_EQ(room.stores_take_lines, gpu.capability() >= 7) << name;
  }
}

} // namespace perfmodel::l1_room_test
