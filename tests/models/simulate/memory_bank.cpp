#include "models/simulate/memory_bank.hpp"

#include <gtest/gtest.h>

namespace perfmodel::memory_bank_test {

constexpr BankTurns turns{.alone = 10, .burst = 10, .writes = 3};

TEST(MemoryBank, serves_all_as_they_come_where_it_has_no_turns) {
  MemoryBank bank;
  EXPECT_EQ(bank.read({}, 3, 5), 8);
  bank.post({}, 4, 5);
  EXPECT_EQ(bank.free(), 13);
  EXPECT_EQ(bank.read({}, 4, 5), 18);
  EXPECT_EQ(bank.owed(), 0);
}

// By hand: read until 5, turned until 15, written until 20, turned back until 30.
TEST(MemoryBank, writes_when_no_read_has_come_for_as_long_as_a_turn) {
  MemoryBank bank;
  bank.read(turns, 0, 5);
  bank.post(turns, 0, 5);
  EXPECT_EQ(bank.owed(), 5);
  MemoryBank later = bank, idle = bank, much_later = bank;
  EXPECT_EQ(bank.read(turns, 2, 5), 10); // before it turned
  EXPECT_EQ(bank.owed(), 5);
  EXPECT_EQ(later.read(turns, 6, 5), 11); // idle for one cycle of the ten of a turn
  EXPECT_EQ(idle.read(turns, 16, 5), 35); // turned until 15, written until 20, turned back until 30
  EXPECT_EQ(much_later.read(turns, 100, 5), 105);
  EXPECT_EQ(much_later.owed(), 0);
}

// Read until 5, turned until 15, three written until 30, turned back until 40.
TEST(MemoryBank, writes_all_that_wait_when_they_are_too_many) {
  MemoryBank bank;
  bank.read(turns, 0, 5);
  bank.post(turns, 0, 5);
  bank.post(turns, 0, 5);
  EXPECT_EQ(bank.free(), 5);
  bank.post(turns, 0, 5);
  EXPECT_EQ(bank.free(), 30);
  EXPECT_EQ(bank.owed(), 0);
  EXPECT_EQ(bank.read(turns, 0, 5), 45);
}

// By hand: three written from 9 to 24 after a turn of 4, back at 28; and one alone from 15 to 20, back at 30.
TEST(MemoryBank, turns_to_a_burst_faster_than_to_a_write_alone) {
  constexpr BankTurns faster{.alone = 10, .burst = 4, .writes = 3};
  MemoryBank burst;
  burst.read(faster, 0, 5);
  MemoryBank alone = burst;
  for (int i = 0; i < 3; ++i) burst.post(faster, 0, 5);
  EXPECT_EQ(burst.read(faster, 0, 5), 33);
  alone.post(faster, 0, 5);
  EXPECT_EQ(alone.read(faster, 16, 5), 35);
}

// By hand: a read each 500 cycles, 100 after a write. With turns of 90 cycles the bank has turned at 90,
// written at 140 and turned back at 230: the read waits for 130.
TEST(MemoryBank, reads_that_meet_a_write_alone_wait_for_its_turns) {
  const auto waited = [](double alone) { // of a read, in the mean
    const BankTurns slow{.alone = alone, .burst = 1, .writes = 100};
    MemoryBank bank;
    double sum = 0;
    for (int i = 0; i < 100; ++i) {
      bank.post(slow, 500.0 * i, 50);
      sum += bank.read(slow, 500.0 * i + 100, 50) - (500.0 * i + 100 + 50);
    }
    return sum / 100;
  };
  EXPECT_EQ(waited(1), 0);
  EXPECT_EQ(waited(60), 70);
  EXPECT_EQ(waited(90), 130);
}

// A write that comes to an idle bank is not written before it came.
TEST(MemoryBank, writes_nothing_before_it_came) {
  MemoryBank bank;
  bank.post(turns, 100, 5);
  MemoryBank idle = bank;
  EXPECT_EQ(bank.read(turns, 101, 5), 106);
  EXPECT_EQ(idle.read(turns, 111, 5), 130); // turned until 110, written until 115, turned back until 125
}

// Under load a pair of turns serves so many writes, and as many reads.
TEST(MemoryBank, one_pair_of_turns_serves_all_writes_that_may_wait) {
  MemoryBank bank;
  for (int i = 0; i < 300; ++i) {
    bank.read(turns, 0, 5);
    bank.post(turns, 0, 5);
  }
  EXPECT_NEAR(bank.free(), 300 * (2 * 5 + 2 * 10 / 3.0), 20);
  EXPECT_NEAR(bank.turned(), 300 * 2 * 10 / 3.0, 20);
}

} // namespace perfmodel::memory_bank_test
