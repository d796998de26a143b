// What lanes tell one another, and what goes between the registers of lanes and those of the warp.
#include "executors.hpp"

#include <algorithm>
#include <bit>

namespace perfmodel {

namespace {

// SHFL.MODE P, R, value, lane, c: c has the segment mask in bits 8 to 12 and the bound in bits 0 to 4.
void shfl(LaneStep& s) {
  const LaneWords value = s.raw(2), by = s.integer(3), c = s.integer(4);
  LaneWords made;
  Flags inside{.known = by.known & c.known};
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    if ((inside.known >> lane & 1) == 0) continue;
    const std::uint32_t bound = c.at[lane] & 31, segment = c.at[lane] >> 8 & 31, step = by.at[lane] & 31;
    const std::uint32_t highest = (lane & segment) | (bound & ~segment), lowest = lane & segment;
    std::uint32_t from = 0;
    bool fits = false;
    if (s.i.has(mod("UP")))
      from = lane - step,
      fits = lane >= step && static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(highest);
    else if (s.i.has(mod("DOWN")))
      from = lane + step, fits = from <= highest;
    else if (s.i.has(mod("BFLY")))
      from = lane ^ step, fits = from <= highest;
    else
      from = lowest | (step & ~segment), fits = from <= highest;
    if (!fits) from = lane;
    made.at[lane] = value.at[from & 31];
    made.known |= (value.known >> (from & 31) & 1) << lane;
    inside.value |= std::uint32_t{fits} << lane;
  }
  s.write(1, made);
  s.write_flag(0, inside);
}

// MOVM.16.MT88 R, R: 8 x 8 halves, of which a lane has two of its row, lane / 4, transposed. What other forms
// do is not followed.
void movm(LaneStep& s) {
  if (!s.i.has(mod("16")) || !s.i.has(mod("MT88"))) return s.write(0, {});
  const LaneWords value = s.raw(1);
  LaneWords made;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint32_t column = lane / 4, first = lane % 4 * 8 + column / 2, second = first + 4;
    const auto half = [&](std::uint32_t from) { return value.at[from] >> column % 2 * 16 & 0xffff; };
    made.at[lane] = half(second) << 16 | half(first);
    made.known |= (value.known >> first & value.known >> second & 1) << lane;
  }
  s.write(0, made);
}

// VOTE.ANY R, P, Psource: the ballot and whether any, all, or equally many lanes say yes.
void vote(LaneStep& s) {
  const bool with_register = !s.is_predicate(0);
  const std::size_t flag_at = with_register ? 1 : 0;
  const Flags said = s.flag(s.operands() - 1);
  const std::uint32_t asked = s.mask, yes = said.value & asked;
  const bool known = (said.known & asked) == asked && s.maybe == 0;
  const bool all = yes == asked, any = yes != 0;
  const bool outcome = s.i.has(mod("ALL")) ? all : s.i.has(mod("ANY")) ? any : all || !any;
  if (with_register) s.write(0, known ? LaneWords::of(yes) : LaneWords{});
  if (s.is_predicate(flag_at) && flag_at + 1 < s.operands()) {
    // One lane that is known to say yes or no settles ANY and ALL.
    const bool settled = known || (s.i.has(mod("ANY")) && any) ||
                         (s.i.has(mod("ALL")) && (said.known & ~said.value & asked) != 0);
    s.write_flag(flag_at, settled ? Flags::of((known ? outcome : any && s.i.has(mod("ANY"))) ? all_lanes : 0)
                                  : Flags{});
  }
}

void redux(LaneStep& s) {
  const LaneWords value = s.integer(1);
  if ((value.known & s.mask) != s.mask || s.mask == 0) return s.write(0, {});
  const bool is_signed = s.i.has(mod("S32"));
  std::uint32_t made = 0;
  bool begun = false;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if ((s.mask >> lane & 1) == 0) continue;
    const std::uint32_t word = value.at[lane];
    const bool less =
        is_signed ? static_cast<std::int32_t>(word) < static_cast<std::int32_t>(made) : word < made;
    if (!begun)
      made = word;
    else if (s.i.has(mod("SUM")))
      made += word;
    else if (s.i.has(mod("MIN")))
      made = less ? word : made;
    else if (s.i.has(mod("MAX")))
      made = less ? made : word;
    else if (s.i.has(mod("OR")))
      made |= word;
    else if (s.i.has(mod("XOR")))
      made ^= word;
    else
      made &= word;
    begun = true;
  }
  s.write(0, LaneWords::of(made));
}

// LaneWords with the same word, or pair: a mask of them. MATCH.ALL P, R: all lanes and true where they are
// all alike, else nothing and false.
void match(LaneStep& s) {
  const std::size_t to = s.is_predicate(0) ? 1 : 0;
  const WideLanes value =
      s.i.has(mod("U64")) ? s.wide(to + 1) : WideLanes::of(s.raw(to + 1), LaneWords::of(0));
  const bool known = (value.known & s.mask) == s.mask && s.maybe == 0;
  LaneWords made{.known = known ? all_lanes : 0};
  std::uint32_t alike = s.mask;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    for (std::size_t other = 0; other < 32; ++other)
      if ((s.mask >> other & 1) != 0 && value.at[other] == value.at[lane]) made.at[lane] |= 1U << other;
    if ((s.mask >> lane & 1) != 0) alike &= made.at[lane];
  }
  const bool all = alike == s.mask;
  if (s.i.has(mod("ALL"))) made.at.fill(all ? s.mask : 0);
  s.write(to, made);
  if (to == 1) s.write_flag(0, known ? Flags::of(all ? all_lanes : 0) : Flags{});
}

// From a lane's register to the warp's, of the first lane; and back.
void r2ur(LaneStep& s) {
  const std::size_t from = s.operands() - 1;
  s.write(0, s.raw(from));
}
void up2ur(LaneStep& s) { s.write(0, {}); }

// B2R.RESULT R, P: what a barrier that votes (BAR.RED) has found: how many lanes say yes, and whether any
// does, or all; followed where blocks are.
void b2r(LaneStep& s) {
  const BlockState::Votes& votes = s.block.voted;
  const bool known = s.block.in_order && votes.unknown == 0;
  s.write(0, known ? LaneWords::of(votes.yes) : LaneWords{});
  const bool settled = s.block.in_order && (known || (votes.all ? votes.no > 0 : votes.yes > 0));
  const bool outcome = votes.all ? votes.no == 0 : votes.yes > 0;
  if (s.is_predicate(1)) s.write_flag(1, settled ? Flags::of(outcome ? all_lanes : 0) : Flags{});
}

constexpr NamedExecutor exchange_executors[] = {
    {"SHFL", shfl},   {"VOTE", vote}, {"VOTEU", vote},  {"REDUX", redux}, {"CREDUX", redux},
    {"MATCH", match}, {"R2UR", r2ur}, {"UP2UR", up2ur}, {"B2R", b2r},     {"MOVM", movm}};

} // namespace

Executor exchange_executor(std::string_view opcode) { return among(exchange_executors, opcode); }

Executor find_executor(std::string_view opcode) {
  for (const auto find : {integer_executor, bit_executor, logic_executor, real_executor, conversion_executor,
                          exchange_executor, unfollowed_executor})
    if (const Executor executor = find(opcode)) return executor;
  return nullptr;
}

} // namespace perfmodel
