// How the GPU that is asked about treats accesses, and which blocks share an SM.
#pragma once

#include "l1_sectors.hpp"

#include "models/access/banks.hpp"
#include "models/access/transactions.hpp"
#include "models/kernel/run_block.hpp"

#include <cstdint>
#include <vector>

namespace perfmodel {

struct AccessRules {
  CoalescingRule load, store;
  Banks banks;
  std::int64_t atom = 32; // bytes that device memory is read in
  // Of the number of the bank in which L1 looks a line up, for each bit the bits of the line's number whose
  // parity it is; empty: four lines a cycle, whichever.
  std::vector<std::uint64_t> line_banks;
  double l1_bytes = 0;            // of L1, for each resident block
  L1Spread l1_spread;             // of that
  bool stores_take_lines = false; // of L1
  double l2_bytes = 0;            // of L2, for each block that is resident anywhere
  // How many blocks share an SM and its L1, and how far apart they are: as many as there are SMs.
  std::int64_t sharers = 1, apart = 0;
  bool by_registers = false; // dependences: else by the control fields of the code
  int capability = 0;        // of the GPU: 20 for cc 2.0; 0: that of the code
  friend bool operator==(const AccessRules&, const AccessRules&) = default;
};

// Whether what this instruction loads is looked up in L1 and stays there.
bool stays_in_l1(const AccessRules& rules, const Instruction& instruction, const MemoryAccess& access);

} // namespace perfmodel
