// What an instruction waits for, by the registers that it reads and writes: the instruction whose result was
// the last in each.
#pragma once

#include "models/kernel/register_use.hpp"
#include "traced_step.hpp"

#include "models/kernel/listing.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace perfmodel {

// Of the warps of one block at a time.
class RegisterDependences {
public:
  RegisterDependences() = default; // of none
  explicit RegisterDependences(const KernelCode& code);

  void begin_block(std::size_t warps);
  // Fills in what the step waits for and where its result lies.
  void add(const Executed& executed, TracedStep& step);
  // Of an instruction that the GPU does without: nobody waits for what it writes.
  void forget(const Executed& executed);

private:
  std::vector<RegisterUse> uses_; // of each instruction
  // Of each warp: the place that a register's value comes from.
  std::vector<std::array<std::uint16_t, register_places>> owner_;
};

} // namespace perfmodel
