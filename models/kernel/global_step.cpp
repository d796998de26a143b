#include "global_step.hpp"

namespace perfmodel {

LaneWords stored_word(const LaneStep& s, std::size_t from, unsigned more) {
  if (from >= s.operands() || s.i.operands[from].kind != OperandKind::reg) return {};
  const std::uint8_t index = s.i.operands[from].index;
  return index == zero_register ? LaneWords::of(0) : s.warp.registers[(index + more) % 256];
}

void write_global(LaneStep& s, const MemoryAccess& a, std::size_t from, bool matters) {
  if ((a.mask & a.known) != a.mask) return s.block.global.forget();
  const bool for_others = !a.atomic && a.bytes >= 4 && s.block.in_order && s.i.has(mod("STRONG"));
  const bool whole_words = !a.atomic && a.bytes >= 4 && (matters || for_others);
  for (std::size_t lane = 0; lane < 32; ++lane)
    if (!whole_words && a.mask >> lane & 1)
      s.block.global.write(static_cast<std::uint64_t>(a.address[lane]), a.bytes, std::nullopt);
  for (unsigned more = 0; whole_words && 4 * more < a.bytes; ++more) {
    const LaneWords value = stored_word(s, from, more);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if ((a.mask >> lane & 1) == 0) continue;
      const std::uint64_t address = static_cast<std::uint64_t>(a.address[lane]) + std::uint64_t{4} * more;
      const auto word = (value.known & ~s.maybe) >> lane & 1 ? std::optional(value.at[lane]) : std::nullopt;
      if (for_others)
        leave_word(s, lane, address, word);
      else
        s.block.global.write(address, 4, word);
    }
  }
}

void leave_word(LaneStep& s, std::size_t lane, std::uint64_t address, std::optional<std::uint32_t> value) {
  s.block.global.write(address, 4, value);
  if (s.block.left != nullptr && address % 4 == 0)
    s.block.left->push_back({s.i.address, s.warp.number, static_cast<unsigned>(lane), address / 4, value});
}

} // namespace perfmodel
