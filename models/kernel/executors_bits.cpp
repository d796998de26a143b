// Shifts, and what counts, finds and moves the bits of words.
#include "executors.hpp"
#include "integer_operands.hpp"

#include <algorithm>
#include <bit>

namespace perfmodel {

namespace {

void shf(LaneStep& s) {
  const bool left = s.i.has(mod("L")), high = s.i.has(mod("HI")),
             wide = s.i.has(mod("U64")) || s.i.has(mod("S64"));
  const bool is_signed = s.i.has(mod("S32")) || s.i.has(mod("S64")), wraps = s.i.has(mod("W"));
  const LaneWords low = s.integer(1), shift = s.integer(2), upper = s.integer(3);
  // A half that no bit of the result comes from need not be known.
  const bool low_alone = left && !high, upper_alone = !left && high;
  LaneWords made{.known = shift.known & (upper_alone ? all_lanes : low.known) &
                          (low_alone ? all_lanes : upper.known)};
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t most = wide ? 64 : 32;
    const std::uint32_t by = wraps ? shift.at[lane] & (wide ? 63U : 31U) : std::min(shift.at[lane], most);
    const std::uint64_t value = std::uint64_t{upper.at[lane]} << 32 | low.at[lane];
    const bool all_out = by > 63;
    const std::uint64_t moved =
        is_signed && !left ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value) >> std::min(by, 63U))
        : all_out          ? 0
        : left             ? value << by
                           : value >> by;
    made.at[lane] = static_cast<std::uint32_t>(high ? moved >> 32 : moved);
  }
  s.write(0, made);
}
void shl(LaneStep& s) {
  s.write(0, each(s.integer(1), s.integer(2),
                  [](std::uint32_t a, std::uint32_t b) { return b > 31 ? 0 : a << b; }));
}
void shr(LaneStep& s) {
  const bool is_unsigned = s.i.has(mod("U32"));
  s.write(0, each(s.integer(1), s.integer(2), [&](std::uint32_t a, std::uint32_t b) {
            if (is_unsigned) return b > 31 ? 0 : a >> b;
            return static_cast<std::uint32_t>(sign(a) >> std::min(b, 31U));
          }));
}

void popc(LaneStep& s) {
  s.write(0,
          each(s.integer(1), [](std::uint32_t w) { return static_cast<std::uint32_t>(std::popcount(w)); }));
}
// The place of the leading one, of a negative number the leading zero; with .SH counted from above.
void flo(LaneStep& s) {
  const bool is_unsigned = s.i.has(mod("U32")), from_above = s.i.has(mod("SH"));
  const std::size_t first = first_source(s);
  const LaneWords made = each(s.integer(first), [&](std::uint32_t w) {
    if (!is_unsigned && sign(w) < 0) w = ~w;
    if (w == 0) return all_lanes;
    const auto place = static_cast<std::uint32_t>(31 - std::countl_zero(w));
    return from_above ? 31 - place : place;
  });
  s.write(0, made);
  if (first > 1)
    s.write_flag(
        1, flags_of(made, LaneWords::of(all_lanes), [](std::uint32_t a, std::uint32_t b) { return a != b; }));
}
void brev(LaneStep& s) {
  s.write(0, each(s.integer(1), [](std::uint32_t w) {
            std::uint32_t made = 0;
            for (unsigned bit = 0; bit < 32; ++bit) made |= (w >> bit & 1) << (31 - bit);
            return made;
          }));
}
void sgxt(LaneStep& s) {
  const bool is_unsigned = s.i.has(mod("U32"));
  s.write(0, each(s.integer(1), s.integer(2), [&](std::uint32_t a, std::uint32_t bits) {
            if (bits == 0) return 0U;
            if (bits >= 32) return a;
            const std::uint32_t kept = a & ((1U << bits) - 1);
            return !is_unsigned && (kept >> (bits - 1) & 1) != 0 ? kept | ~((1U << bits) - 1) : kept;
          }));
}
void bmsk(LaneStep& s) {
  s.write(0, each(s.integer(1), s.integer(2), [](std::uint32_t at, std::uint32_t width) {
            if (at > 31) return 0U;
            const std::uint32_t ones = width > 31 ? all_lanes : (1U << width) - 1;
            return ones << at;
          }));
}
void prmt(LaneStep& s) {
  s.write(0, each(s.integer(1), s.integer(2), s.integer(3),
                  [](std::uint32_t low, std::uint32_t selector, std::uint32_t high) {
                    const std::uint64_t bytes = std::uint64_t{high} << 32 | low;
                    std::uint32_t made = 0;
                    for (unsigned n = 0; n < 4; ++n) {
                      const std::uint32_t choice = selector >> (4 * n) & 0xf;
                      std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (choice & 7))) & 0xff;
                      if ((choice & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0; // its sign
                      made |= byte << (8 * n);
                    }
                    return made;
                  }));
}

constexpr NamedExecutor bit_executors[] = {
    {"SHF", shf},   {"USHF", shf},   {"SHL", shl},   {"USHL", shl},   {"SHR", shr},   {"USHR", shr},
    {"POPC", popc}, {"UPOPC", popc}, {"FLO", flo},   {"UFLO", flo},   {"BREV", brev}, {"UBREV", brev},
    {"SGXT", sgxt}, {"USGXT", sgxt}, {"BMSK", bmsk}, {"UBMSK", bmsk}, {"PRMT", prmt}, {"UPRMT", prmt}};

} // namespace

Executor bit_executor(std::string_view opcode) { return among(bit_executors, opcode); }

} // namespace perfmodel
