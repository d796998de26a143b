// What is computed in halves, by tensor units and by rarer opcodes is not followed: its results are not
// known.
#include "executors.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

std::uint32_t half_of(double x) {
  if (x == 0) return std::signbit(x) ? 0x8000 : 0;
  if (std::isinf(x)) return x < 0 ? 0xfc00 : 0x7c00;
  int exponent = 0;
  const double part = std::frexp(std::fabs(x), &exponent); // [1/2, 1)
  const std::uint32_t minus = x < 0 ? 0x8000 : 0;
  if (exponent > 16) return minus | 0x7c00;
  if (exponent < -13) return minus | static_cast<std::uint32_t>(std::lround(std::ldexp(std::fabs(x), 24)));
  return minus | ((static_cast<std::uint32_t>(exponent + 14) << 10) +
                  static_cast<std::uint32_t>(std::lround((part * 2 - 1) * 1024)));
}
// HFMA2.MMA R, -RZ, RZ, h, l moves a constant of two halves; other arithmetic of halves is not followed.
void hfma2(LaneStep& s) {
  const auto zero = [&](std::size_t n) {
    return s.is(n, OperandKind::reg) && s.i.operands[n].index == zero_register;
  };
  const auto constant = [&](std::size_t n) {
    return s.is(n, OperandKind::real) || s.is(n, OperandKind::integer);
  };
  // Which bits a NaN has the text does not say.
  if (zero(1) && zero(2) && constant(3) && constant(4) && !s.i.has(mod("BF16_V2")) &&
      !std::isnan(s.i.operands[3].number) && !std::isnan(s.i.operands[4].number))
    return s.write(0, LaneWords::of(half_of(s.i.operands[3].number) << 16 | half_of(s.i.operands[4].number)));
  s.write(0, {});
}
// Two registers, or predicates.
void unknown(LaneStep& s) {
  if (s.is_predicate(0)) s.write_flag(0, {});
  if (s.is_predicate(0) && s.is_predicate(1)) s.write_flag(1, {});
  s.write(0, {});
  s.write_next(0, 1, {});
}
// The same of one register.
void unknown_word(LaneStep& s) {
  if (s.is_predicate(0)) {
    s.write_flag(0, {});
    if (s.is_predicate(1)) s.write_flag(1, {});
  }
  s.write(0, {});
}
// Tensor units: four registers of results, two where these are halves; of four warps together as many as two
// columns need.
void unknown_tile(LaneStep& s) {
  const bool halves = s.i.has(mod("F16")) && !s.i.has(mod("F32"));
  const unsigned columns = s.i.columns > 0 ? s.i.columns : 8U;
  const unsigned registers = columns / (halves ? 4 : 2);
  for (unsigned more = 0; more < registers; ++more) s.write_next(0, more, {});
}

constexpr NamedExecutor unfollowed_executors[] = {
    {"HFMA2", hfma2},           {"HADD2", unknown_word},     {"HMUL2", unknown_word},
    {"HMNMX2", unknown_word},   {"VHMNMX", unknown_word},    {"HSETP2", unknown_word},
    {"F2FP", unknown_word},     {"I2I", unknown_word},       {"FSWZADD", unknown_word},
    {"I2IP", unknown_word},     {"IDP", unknown_word},       {"FSET", unknown_word},
    {"VABSDIFF", unknown_word}, {"VABSDIFF4", unknown_word}, {"HSET2", unknown_word},
    {"HMMA", unknown_tile},     {"IMMA", unknown_tile},      {"DMMA", unknown_tile},
    {"HGMMA", unknown_tile},    {"QGMMA", unknown_tile},     {"IGMMA", unknown_tile},
    {"DMNMX", unknown}};

} // namespace

Executor unfollowed_executor(std::string_view opcode) { return among(unfollowed_executors, opcode); }

} // namespace perfmodel
