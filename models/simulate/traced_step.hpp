// One instruction of a warp as it was run, as far as its time depends on it.
#pragma once

#include "models/kernel/run_block.hpp"

#include <array>
#include <cstdint>

namespace perfmodel {

// Of a row of device memory, what comes at once: a row of HBM3, for any GPU. With 1 KiB 51 streams with one
// to eight blocks of an SM are met with a mean error of 4.2 %, with 2 and 4 KiB of 4.1 and 4.3 %, and where
// no load takes longer by chance of 5.1 % (H200, 28 November 2026).
constexpr double row_bytes = 1024;

struct TracedStep {
  std::uint32_t instruction = 0;
  bool idle = false; // an access that no lane makes, or an instruction that is not known and no lane executes
  bool taken = false; // a branch
  Space space = Space::none;
  bool loads = false, stores = false, atomic = false;
  bool awaited = false; // another block of the SM has fetched some of it
  // A load: the warp of the block, plus one, that has fetched all of its sectors by the same instruction, if
  // it is another one.
  std::uint8_t fetched_by = 0;
  bool again = false;   // the block has had all of it before, so that L2 has it
  bool apart = false;   // from what the warp before it in the block loads by the same instruction
  bool in_loop = false; // it may be made again and again, by warps that have come apart
  bool in_row = false;  // of device memory, where another instruction of the warp has loaded just before
  std::uint16_t wavefronts = 0; // of L1 or shared memory
  // A load of few lines: 64ths of a wavefront that it takes longer in the mean, since some lie in one bank of
  // L1's tags (line_banks.hpp).
  std::uint8_t meeting = 0;
  std::uint16_t sectors = 0; // of 32 bytes, that go beyond L1
  std::uint16_t lines = 0;   // of 128 bytes, that they lie in
  std::uint16_t changed = 0; // a store to local memory: sectors that L2 had as L1 until then
  std::uint16_t partial = 0; // a store: sectors of which it writes some bytes alone
  std::uint16_t least_wavefronts = 0, least_sectors = 0; // of the same bytes side by side, without conflicts
  std::uint16_t words = 0; // an atomic operation: most lanes of one word; constants: different addresses
  std::uint8_t added = 0;  // an atomic operation: lanes
  bool one_word = false;   // an atomic operation: all its lanes meet in one
  std::uint16_t turns = 0; // an atomic operation: of its sectors, each takes one for each lane of a word
  std::int16_t allocation = -1;
  // A store: the warp's store to other lines, counted back from the last, that went to the same lines, and
  // had a store like this after it.
  std::uint8_t opened_back = 0;
  bool continued = false;
  // A store to lines that another warp of the block opens by the same store: how many lines the block opens
  // from there to here. 0: none does.
  std::uint16_t lines_between = 0;
  std::array<std::uint16_t, 8> waits_for{}; // places of registers
  std::uint8_t waits = 0;
  std::uint16_t result = 0xffff;
  friend bool operator==(const TracedStep&, const TracedStep&) = default;
};

} // namespace perfmodel
