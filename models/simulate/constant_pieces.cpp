#include "constant_pieces.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace perfmodel {

namespace {

constexpr std::int64_t bank_bytes = 65536, most_constant_banks = 32;

} // namespace

void find_constants(const Instruction& i, const MemoryAccess& access, TracedStep& step) {
  const auto at = std::find_if(i.operands.begin(), i.operands.end(),
                               [](const CodeOperand& o) { return o.kind == OperandKind::constant; });
  if (at == i.operands.end() || at->bank == 0 || at->bank >= most_constant_banks) return;
  std::int64_t first = bank_bytes, last = 0;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((access.mask >> lane & 1) == 0) continue;
    first = std::min(first, access.address[lane]);
    last = std::max(last, access.address[lane] + access.bytes - 1);
  }
  if (first < 0 || last >= bank_bytes) return;
  const auto piece = [&](std::int64_t byte) {
    return static_cast<std::uint16_t>((at->bank * bank_bytes + byte) / constant_piece + 1);
  };
  step.first_constant = piece(first);
  step.last_constant = piece(last);
}

double constants_read(const std::vector<TracedStep>& steps) {
  std::vector<bool> read(most_constant_banks * bank_bytes / constant_piece + 1);
  for (const TracedStep& step : steps)
    if (step.first_constant > 0)
      std::fill(read.begin() + step.first_constant, read.begin() + step.last_constant + 1, true);
  return static_cast<double>(constant_piece * std::count(read.begin(), read.end(), true));
}

} // namespace perfmodel
