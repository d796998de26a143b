#include "register_banks.hpp"

#include <algorithm>

namespace perfmodel {

namespace {

// Registers that an instruction reads, each once, without those that the one before has kept.
std::vector<std::uint8_t> read_by(const Instruction& i, const Instruction* before) {
  const auto is_source = [](const CodeOperand& o) {
    return o.kind == OperandKind::reg && o.index != zero_register;
  };
  std::vector<std::uint8_t> read;
  for (std::size_t n = 1; n < i.operands.size(); ++n) {
    const CodeOperand& o = i.operands[n];
    if (!is_source(o) || std::find(read.begin(), read.end(), o.index) != read.end()) continue;
    const bool kept =
        before != nullptr &&
        std::any_of(before->operands.begin(), before->operands.end(), [&](const CodeOperand& other) {
          return is_source(other) && other.reused && other.index == o.index;
        });
    if (!kept) read.push_back(o.index);
  }
  return read;
}

} // namespace

std::vector<double> register_waits(const KernelCode& code, unsigned banks, double reads) {
  if (banks == 0) return std::vector<double>(code.instructions.size());
  constexpr double window = 3;       // cycles
  const double each = banks / reads; // cycles of a bank for an operand
  std::vector<double> waits, free(banks);
  double time = 0;
  const Instruction* before = nullptr;
  for (const Instruction& i : code.instructions) {
    std::vector<double> busy(banks);
    for (const std::uint8_t index : read_by(i, before)) busy[index % banks] += each;
    double issued = time + 1;
    for (unsigned b = 0; b < banks; ++b) issued = std::max(issued, free[b] + busy[b] - window);
    for (unsigned b = 0; b < banks; ++b) free[b] = std::max(free[b], issued) + busy[b];
    waits.push_back(issued - time - 1);
    time = issued;
    before = &i;
  }
  return waits;
}

} // namespace perfmodel
