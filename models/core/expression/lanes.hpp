// Carries out the instructions of a program, each in a plain loop over all lanes that the compiler can
// vectorise.
#pragma once

#include "program.hpp"

namespace perfmodel::detail {

struct Lanes {
  std::span<const std::int64_t* const> variables;
  const std::int64_t* mask; // nullptr: every lane
  std::int64_t* slots;      // `count` numbers for each slot
  std::size_t count;

  std::optional<Fault> execute(const Program::Instruction& instruction) const;
  void copy(const Program::Operand& from, std::span<std::int64_t> to) const;

private:
  // The array of an operand; nullptr where it is one number for all lanes.
  const std::int64_t* array(const Program::Operand& a) const;
  std::optional<Fault> find_fault(const Program::Instruction& instruction) const;
  void choose(const Program::Instruction& instruction) const;
};

} // namespace perfmodel::detail
