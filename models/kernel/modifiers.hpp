// The words behind an opcode's dots: ISETP.GE.U32.AND has GE, U32 and AND. As bits, so that executing an
// instruction asks for them without comparing text.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <string_view>

namespace perfmodel {

// Sorted. A word that is not here makes an instruction unknown: it might change what is done.
// clang-format off
inline constexpr auto modifier_names = std::to_array<std::string_view>({
    "1", "128", "16", "16816", "16832", "1684", "1688", "16x8x16", "16x8x8", "1D", "2", "2A", "2D", "32", "3D", "4", "4A",
    "4D", "64", "8", "88", "8816", "8832", "884", "888", "8x8x16", "8x8x4", "A1T0", "AB", "ABS", "ACQUIRE", "ADD", "ALL", "ALLOC",
    "AND", "ANY", "ARRIVE", "ARRIVES", "ARV", "ASYNC", "AUTO", "AV", "B", "BF", "BF16", "BF16_V2", "BF16x2", "BF16x4", "BF16x8",
    "BFLY", "BYPASS", "C", "CAS", "CAST", "CEIL", "CG", "CH", "CLEAR", "CLUSTER", "COLLECTIVE", "CONSTANT", "COS", "CTA",
    "CV", "D2", "D4", "D8", "DEC", "DEFER_BLOCKING", "DEPBAR", "DIST", "DIV", "DIVERGE", "DOWN", "E", "E4M3", "E5M2",
    "EF", "EL", "EN", "EQ", "EQU", "EU", "EVICT", "EX", "EX2", "EXCH", "EXCL", "EXCLUSIVE", "F", "F16", "F16_V2",
    "F16x2", "F16x4", "F16x8", "F32", "F32x2", "F32x4", "F64", "FLOOR", "FTZ", "GE", "GEU", "GPU", "GSB0",
    "GT", "GTU", "H", "HADD", "HI", "HI_LO", "I", "IADD", "IDX", "INC", "INV", "INVALL", "IVALL",
    "L", "LE", "LEU", "LG2", "LL", "LO", "LT", "LTC", "LTC128B", "LTC256B", "LTC64B", "LTU", "LU", "LUT", "M", "M16N8", "M2", "M4", "M8", "M88", "MAX", "MIN", "MMA", "MMIO", "MN", "MOV",
    "MT88", "MXCSR", "NA", "NAN", "NE", "NEG", "NEU", "NEVER", "NODEC", "NOINC", "NO_CLUSTER", "NP", "NTZ", "NUM",
    "OR", "OUTSIDE", "PACK", "PACK_AB", "PACK_AB_MERGE_C", "PF2", "PHASECHK", "POPC", "PR", "PRED", "PRIVATE", "R",
    "RCP", "RCP64H", "READ", "RED", "REL", "RELU", "RESULT", "RM", "RN", "ROUND", "RP", "RS", "RSQ", "RSQ64H", "RZ",
    "S", "S16", "S16x2", "S32", "S4", "S64", "S8", "SAFEADD", "SAT", "SATFINITE", "SC", "SCR", "SH", "SHL", "SIN",
    "SM", "SP", "SPIN", "SQRT", "STRONG", "SUM", "SX32", "SYNC", "SYS", "T", "TANH", "TEX", "TF32", "TILE", "TNSPA",
    "TNSPB", "TRANS", "TRANS64", "TRAP", "TRUNC", "TRYWAIT", "U", "U16", "U16x2", "U2", "U32", "U4", "U64", "U8",
    "UE8M0", "UMUL", "UNPACK_B", "UP", "UR", "VC", "VIEW", "VTG", "W", "WARPSYNC", "WEAK", "WIDE", "WRITE", "X", "XOR", "ZD",
    "tnspA", "tnspB"});
// clang-format on
static_assert(std::is_sorted(modifier_names.begin(), modifier_names.end()));

using Modifiers = std::bitset<modifier_names.size()>;

constexpr std::optional<std::size_t> find_modifier(std::string_view name) {
  const auto at = std::lower_bound(modifier_names.begin(), modifier_names.end(), name);
  if (at == modifier_names.end() || *at != name) return std::nullopt;
  return static_cast<std::size_t>(at - modifier_names.begin());
}

// The bit of a word that is written in the code: a slip does not compile.
consteval std::size_t mod(std::string_view name) { return find_modifier(name).value(); }

} // namespace perfmodel
