#include "trip_change.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace perfmodel {

namespace {

// Opcodes whose results go in proportion with what changes of their operands, as long as nothing overflows.
constexpr std::string_view in_proportion[] = {"IADD3", "IADD", "VIADD", "UIADD3", "IMAD", "UIMAD",
                                              "MOV",   "UMOV", "R2UR",  "LEA",    "ULEA", "SHL",
                                              "USHL",  "SHFL", "ISETP", "UISETP"};
bool goes_in_proportion(const Instruction& i) {
  if (i.is("SHF") || i.is("USHF")) {
    constexpr std::int64_t sign_bit = 31; // a shift to the right by so much leaves the sign, which stays
    const bool leaves_sign = std::any_of(i.operands.begin(), i.operands.end(), [](const CodeOperand& o) {
      return o.kind == OperandKind::integer && o.value == sign_bit;
    });
    return i.has(mod("L")) || leaves_sign;
  }
  if (i.is("IMAD") || i.is("UIMAD")) return !i.has(mod("HI"));
  return std::find(std::begin(in_proportion), std::end(in_proportion), i.opcode) != std::end(in_proportion);
}

} // namespace

TripChange trip_change(const Instruction& i) {
  if (i.is("ISETP") || i.is("UISETP")) return TripChange::compares;
  if (!goes_in_proportion(i)) return TripChange::any;
  if (i.is("IMAD") || i.is("UIMAD")) return TripChange::multiplies;
  const bool shifts = i.is("SHF") || i.is("USHF") || i.is("SHL") || i.is("USHL");
  return shifts ? TripChange::shifts : TripChange::adds;
}

} // namespace perfmodel
