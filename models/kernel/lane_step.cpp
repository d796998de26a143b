#include "lane_step.hpp"

#include "special_register.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <bit>

namespace perfmodel {

namespace {

std::uint32_t as_fp32(double number) { return std::bit_cast<std::uint32_t>(static_cast<float>(number)); }

} // namespace

LaneWords LaneStep::register_lanes(const CodeOperand& o, unsigned more) const {
  if (o.kind == OperandKind::uniform)
    return o.index == zero_uniform ? LaneWords::of(0) : warp.uniform[(o.index + more) % 256];
  return o.index == zero_register ? LaneWords::of(0) : warp.registers[(o.index + more) % 256];
}

LaneWords LaneStep::constant_lanes(const CodeOperand& o, unsigned more, std::size_t bytes) const {
  const auto bank = block.constants->find(o.bank);
  LaneWords made;
  if (bank == block.constants->end()) return made;
  const auto word = [&](std::uint64_t at) { return bank->second.read(at + std::uint64_t{4} * more, bytes); };
  if (o.base == zero_register && o.uniform_base == zero_uniform) {
    const auto value = word(static_cast<std::uint64_t>(o.value));
    return value ? LaneWords::of(static_cast<std::uint32_t>(*value)) : made;
  }
  const LaneWords index = o.base == zero_register ? LaneWords::of(0) : warp.registers[o.base];
  const LaneWords second = o.uniform_base == zero_uniform ? LaneWords::of(0) : warp.uniform[o.uniform_base];
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((index.known & second.known) >> lane & 1) {
      const auto value = word(static_cast<std::uint64_t>(o.value) + index.at[lane] + second.at[lane]);
      if (!value) continue;
      made.at[lane] = static_cast<std::uint32_t>(*value);
      made.known |= 1U << lane;
    }
  }
  return made;
}

void LaneStep::refuse(std::string_view why) const {
  throw RefusedKernel(fmt::format("line {}: {} {}", i.line, quoted(i.text), why));
}

const CodeOperand& LaneStep::operand(std::size_t n) const {
  if (n >= operands()) refuse("lacks an operand");
  return i.operands[n];
}

LaneWords LaneStep::raw(std::size_t n) const {
  const CodeOperand& o = operand(n);
  switch (o.kind) {
  case OperandKind::reg:
  case OperandKind::uniform:
    return register_lanes(o, 0);
  case OperandKind::integer:
    return LaneWords::of(static_cast<std::uint32_t>(o.value));
  case OperandKind::real:
    return LaneWords::of(as_fp32(o.number));
  case OperandKind::constant:
    return constant_lanes(o, 0);
  case OperandKind::special:
    return special_register(o.name, *this);
  default:
    return {};
  }
}

LaneWords LaneStep::integer(std::size_t n) const {
  LaneWords value = raw(n);
  const CodeOperand& o = i.operands[n];
  if (o.kind == OperandKind::integer) return value; // the sign is in the number
  if (o.absolute)
    for (auto& word : value.at) word = static_cast<std::int32_t>(word) < 0 ? 0U - word : word;
  if (o.negated)
    for (auto& word : value.at) word = 0U - word;
  if (o.inverted)
    for (auto& word : value.at) word = ~word;
  return value;
}

LaneWords LaneStep::real(std::size_t n) const {
  LaneWords value = raw(n);
  const CodeOperand& o = i.operands[n];
  if (o.kind == OperandKind::integer || o.kind == OperandKind::real)
    return LaneWords::of(as_fp32(o.number)); // "4" is 4.0 here
  if (o.absolute)
    for (auto& word : value.at) word &= 0x7fffffffU;
  if (o.negated)
    for (auto& word : value.at) word ^= 0x80000000U;
  return value;
}

WideLanes LaneStep::wide(std::size_t n) const {
  const CodeOperand& o = operand(n);
  if (o.kind == OperandKind::reg || o.kind == OperandKind::uniform) {
    const bool zero = o.index == (o.kind == OperandKind::reg ? zero_register : zero_uniform);
    WideLanes made = zero ? WideLanes::of(LaneWords::of(0), LaneWords::of(0))
                          : WideLanes::of(register_lanes(o, 0), register_lanes(o, 1));
    if (o.negated)
      for (auto& word : made.at) word = 0 - word;
    return made;
  }
  if (o.kind == OperandKind::constant) return WideLanes::of(constant_lanes(o, 0), constant_lanes(o, 1));
  WideLanes made{.known = all_lanes};
  made.at.fill(static_cast<std::uint64_t>(o.value));
  return made;
}

WideLanes LaneStep::wide_real(std::size_t n) const {
  const CodeOperand& o = operand(n);
  if (o.kind == OperandKind::integer || o.kind == OperandKind::real) {
    WideLanes made{.known = all_lanes};
    made.at.fill(std::bit_cast<std::uint64_t>(o.number));
    return made;
  }
  CodeOperand plain = o;
  plain.negated = false;
  WideLanes made =
      o.kind == OperandKind::constant
          ? WideLanes::of(constant_lanes(o, 0), constant_lanes(o, 1))
          : WideLanes::of(register_lanes(plain, 0), register_lanes(plain, o.index == zero_register ? 0 : 1));
  if (o.absolute)
    for (auto& word : made.at) word &= ~(std::uint64_t{1} << 63);
  if (o.negated)
    for (auto& word : made.at) word ^= std::uint64_t{1} << 63;
  return made;
}

Flags LaneStep::flag(std::size_t n) const {
  const CodeOperand& o = operand(n);
  if (!is_predicate(n)) refuse("has no predicate where one is expected");
  const Flags value =
      o.kind == OperandKind::uniform_predicate ? warp.uniform_predicates[o.index] : warp.predicates[o.index];
  return o.negated ? value.inverted() : value;
}

void LaneStep::write_next(std::size_t n, unsigned more, const LaneWords& value) {
  if (n >= operands()) return;
  const CodeOperand& o = i.operands[n];
  if (o.kind == OperandKind::uniform) { // of the whole warp
    if (o.index == zero_uniform || mask == 0) return;
    LaneWords& to = warp.uniform[(o.index + more) % 256];
    const int lane = mask == 0 ? 0 : std::countr_zero(mask);
    const bool known = (value.known >> lane & 1) != 0 && maybe == 0;
    to = known ? LaneWords::of(value.at[static_cast<std::size_t>(lane)]) : LaneWords{};
    return;
  }
  if (o.kind != OperandKind::reg || o.index == zero_register) return;
  LaneWords& to = warp.registers[(o.index + more) % 256];
  if (mask == all_lanes)
    to = value;
  else
    to.take(value, mask);
  to.known &= ~maybe;
}

void LaneStep::write(std::size_t n, const LaneWords& value) { write_next(n, 0, value); }
void LaneStep::write_wide(std::size_t n, const WideLanes& value) {
  write_next(n, 0, value.low());
  write_next(n, 1, value.high());
}

void LaneStep::write_flag(std::size_t n, const Flags& value) {
  if (n >= operands()) return;
  const CodeOperand& o = i.operands[n];
  if (o.index == true_predicate) return;
  if (o.kind == OperandKind::uniform_predicate) {
    const int lane = mask == 0 ? 0 : std::countr_zero(mask);
    const bool known = (value.known >> lane & 1) != 0 && maybe == 0, on = (value.value >> lane & 1) != 0;
    warp.uniform_predicates[o.index] = known ? Flags::of(on ? all_lanes : 0) : Flags{};
    return;
  }
  if (o.kind != OperandKind::predicate) return;
  Flags& to = warp.predicates[o.index];
  to.value = (to.value & ~mask) | (value.value & mask);
  to.known = ((to.known & ~mask) | (value.known & mask)) & ~maybe;
  to.value &= to.known;
}

AccessedLanes LaneStep::addresses(std::size_t n) const {
  AccessedLanes made;
  const CodeOperand& o = i.operands[n];
  const LaneWords zero = LaneWords::of(0);
  const bool none = o.base == zero_register;
  const LaneWords& low = none ? zero : warp.registers[o.base];
  // Addresses of shared and local memory have 32 bits; of LDGSTS the .E is that of the other address.
  const bool extended = o.pair || (i.has(mod("E")) && !i.is("LDGSTS"));
  const bool pair = !none && extended && !o.narrow;
  const LaneWords& high = pair ? warp.registers[(o.base + 1U) % 256] : zero;
  const bool with_uniform = o.uniform_base != zero_uniform;
  const LaneWords& u = with_uniform ? warp.uniform[o.uniform_base] : zero;
  const LaneWords& u_high = with_uniform && extended ? warp.uniform[(o.uniform_base + 1U) % 256] : zero;
  made.known = low.known & high.known & u.known & u_high.known;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t base = std::uint64_t{high.at[lane]} << 32 | low.at[lane],
                        more = std::uint64_t{u_high.at[lane]} << 32 | u.at[lane];
    const std::uint64_t sum = (base << o.scale) + more + static_cast<std::uint64_t>(o.value);
    made.address[lane] = static_cast<std::int64_t>(extended ? sum : sum & all_lanes);
  }
  return made;
}

} // namespace perfmodel
