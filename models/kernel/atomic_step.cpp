#include "atomic_step.hpp"

#include "global_step.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

namespace perfmodel {

namespace {

std::optional<std::uint32_t> combined(const Instruction& i, std::uint32_t old, std::uint32_t data,
                                      std::uint32_t other) {
  if (i.has(mod("F32")) || i.has(mod("F16x2")) || i.has(mod("BF16x2"))) return std::nullopt;
  const bool is_signed = i.has(mod("S32"));
  const bool less = is_signed ? static_cast<std::int32_t>(data) < static_cast<std::int32_t>(old) : data < old;
  if (i.has(mod("POPC"))) return old + 1; // the compiler's name for adding one in each lane
  if (i.has(mod("ADD"))) return old + data;
  if (i.has(mod("MIN"))) return less ? data : old;
  if (i.has(mod("MAX"))) return less ? old : data;
  if (i.has(mod("AND"))) return old & data;
  if (i.has(mod("OR"))) return old | data;
  if (i.has(mod("XOR"))) return old ^ data;
  if (i.has(mod("EXCH"))) return data;
  if (i.has(mod("CAS"))) return old == data ? other : old;
  if (i.has(mod("INC"))) return old >= data ? 0 : old + 1;
  if (i.has(mod("DEC"))) return old == 0 || old > data ? data : old - 1;
  return std::nullopt;
}

LaneWords operand_or_none(const LaneStep& s, std::size_t operand) {
  return operand < s.operands() && s.i.operands[operand].kind != OperandKind::address ? s.raw(operand)
                                                                                      : LaneWords{};
}

// A counter as it stands when this warp's turn comes (common_words.hpp).
void let_others_draw(LaneStep& s, const MemoryAccess& a, const LaneWords& value) {
  std::uint32_t lanes = a.mask & value.known & ~s.maybe;
  if (lanes == 0 || lanes != a.mask) return;
  const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
  const auto address = static_cast<std::uint64_t>(a.address[lane]);
  const std::uint64_t blocks = std::uint64_t{s.block.grid[0]} * s.block.grid[1] * s.block.grid[2];
  const std::uint64_t times = s.block.drawn.of_others(s.warp.number, address, s.block.linear, blocks);
  const std::optional<std::uint64_t> old = s.block.global.read(address, 4);
  if (!old) return;
  std::uint64_t each = 0;
  for (; lanes != 0; lanes &= lanes - 1)
    each += s.i.has(mod("INC")) ? 1 : value.at[static_cast<std::size_t>(std::countr_zero(lanes))];
  std::uint64_t drawn = *old + times * each;
  if (s.i.has(mod("INC"))) drawn %= std::uint64_t{value.at[lane]} + 1;
  s.block.global.write(address, 4, static_cast<std::uint32_t>(drawn));
}

} // namespace

LaneWords run_atomic(LaneStep& s, const MemoryAccess& a, std::size_t data) {
  const bool counts = s.i.has(mod("POPC")), compares = s.i.has(mod("CAS"));
  const LaneWords value = counts ? LaneWords::of(1) : operand_or_none(s, data);
  const LaneWords other = compares ? operand_or_none(s, data + 1) : LaneWords::of(0);
  if (s.common == CommonWord::counter && !s.block.in_order) let_others_draw(s, a, value);
  LaneWords before;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((a.mask >> lane & 1) == 0) continue;
    const auto address = static_cast<std::uint64_t>(a.address[lane]);
    const std::optional<std::uint64_t> old =
        a.space == Space::shared ? s.block.shared.read(address, 4) : s.block.global.read(address, 4);
    if (s.common == CommonWord::settling && s.block.settling != nullptr)
      s.block.settling->insert(address / 4);
    const bool takes_part = (s.maybe >> lane & 1) == 0;
    std::optional<std::uint32_t> after;
    if (old && takes_part && (value.known & other.known) >> lane & 1)
      after = combined(s.i, static_cast<std::uint32_t>(*old), value.at[lane], other.at[lane]);
    if (a.space == Space::shared)
      s.block.shared.write(address, 4, after ? std::optional<std::uint64_t>(*after) : std::nullopt);
    else
      leave_word(s, lane, address, after);
    if (!old || !takes_part) continue;
    before.at[lane] = static_cast<std::uint32_t>(*old);
    before.known |= 1U << lane;
  }
  return before;
}

bool ContendedWord::succeeds(const void* warp) {
  constexpr std::uint32_t each = 3, of_other = 2; // a success takes 1 + 2/3 x others tries
  auto at = std::find_if(tries.begin(), tries.end(), [&](const auto& one) { return one.first == warp; });
  if (at == tries.end()) at = tries.insert(at, {warp, 0});
  const auto others = static_cast<std::uint32_t>(at - tries.begin());
  at->second += each;
  if (at->second < each + of_other * others) return false;
  at->second -= each + of_other * others;
  return true;
}

void compare_and_store(LaneStep& s, const MemoryAccess& a, std::size_t to, std::size_t data) {
  LaneWords told = LaneWords::of(0);
  std::vector<std::int64_t> taken;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((a.mask >> lane & 1) == 0) continue;
    if (std::find(taken.begin(), taken.end(), a.address[lane]) != taken.end()) continue;
    taken.push_back(a.address[lane]);
    told.at[lane] = s.block.contended[a.address[lane]].succeeds(&s.warp) ? 1 : 0;
  }
  if ((a.mask & ~a.known) != 0) s.block.shared.forget();
  const LaneWords stored = operand_or_none(s, data + 1);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if (told.at[lane] != 1) continue;
    const bool known = a.bytes == 4 && ((stored.known & ~s.maybe) >> lane & 1) != 0;
    s.block.shared.write(static_cast<std::uint64_t>(a.address[lane]), a.bytes,
                         known ? std::optional<std::uint64_t>(stored.at[lane]) : std::nullopt);
  }
  s.write(to, told);
  if (a.bytes > 4) s.write_next(to, 1, LaneWords::of(0));
}

} // namespace perfmodel
