// One instruction of machine code, as a listing shows it: what it is called, its guard and operands, and,
// where the listing has the encoding, how its warp waits. No cost and no GPU is in it.
#pragma once

#include "modifiers.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

// Registers that are no storage: reading gives zero (true), writing goes nowhere.
inline constexpr std::uint8_t zero_register = 255, zero_uniform = 255, true_predicate = 7;

enum class OperandKind : std::uint8_t {
  none,
  reg,               // R4
  uniform,           // UR4
  predicate,         // P0
  uniform_predicate, // UP0
  integer,           // 0x10, or the address that a branch goes to
  real,              // 1.5
  constant,          // c[0x0][0x210], c[0x3][R4+0x8]
  address,           // [R2.64+UR4+0x10]
  special,           // SR_TID.X
  convergence        // B0: a mask of lanes that meet
};

struct CodeOperand {
  OperandKind kind = OperandKind::none;
  bool negated = false;   // -R4; !P0
  bool absolute = false;  // |R4|
  bool inverted = false;  // ~R4
  bool pair = false;      // R2.64 in an address
  bool narrow = false;    // R2.U32 in an address of 64 bits
  bool reused = false;    // R2.reuse: kept for the same operand of the next instruction
  std::uint8_t index = 0; // of the register
  std::uint8_t scale = 0; // R2.X4: left shift of an address's register
  std::uint8_t bank = 0;  // of constant memory
  // Of an address, or of an index into constant memory: the registers added to `value`.
  std::uint8_t base = zero_register, uniform_base = zero_uniform;
  std::int64_t value = 0; // integer, offset
  double number = 0;      // real
  std::string name;       // special register, or a suffix such as H0_H0
};

// Bits 41 to 61 of the upper half of an instruction of cc 7.0 to 9.0. Huerta, Abaie, Cruz, Gonzalez,
// Analyzing modern NVIDIA GPU cores, MICRO 2025: there is no scoreboard for each register. `stall` keeps
// fixed latencies; a producer of variable latency raises one of six counters of its warp and lowers it when
// its result is written, or its operands are read; a consumer waits for all counters of its mask to be zero.
struct Control {
  static constexpr std::uint8_t no_counter = 7;
  bool known = false;
  bool yields = false;
  std::uint8_t stall = 0; // cycles after issue in which the warp is not eligible
  std::uint8_t write_counter = no_counter, read_counter = no_counter;
  std::uint8_t wait_mask = 0;
};

struct Instruction {
  std::uint32_t address = 0; // in its function
  std::string opcode;        // "IMAD"
  std::string text;          // "IMAD.WIDE.U32 R2, R3, 0x4, R4"
  std::size_t line = 0;      // of the listing, from 1
  Modifiers modifiers;
  CodeOperand guard;         // a predicate, or none
  std::uint16_t columns = 0; // of a product of four warps together: 128 of HGMMA.64x128x16
  std::vector<CodeOperand> operands;
  Control control;
  std::string unread; // what of it is not understood: executed, it is refused

  // Lengths are compared first: this is asked of every instruction that is run.
  bool is(std::string_view name) const { return std::string_view(opcode) == name; }
  bool has(std::size_t modifier) const { return modifiers[modifier]; }
};

// Registers of a lane whose numbers a reduction adds to as many words: four of F32x4, or of eight halves.
inline unsigned words_added(const Instruction& i) {
  if (i.has(mod("F32x4")) || i.has(mod("F16x8")) || i.has(mod("BF16x8"))) return 4;
  return i.has(mod("F32x2")) || i.has(mod("F16x4")) || i.has(mod("BF16x4")) ? 2 : 1;
}

} // namespace perfmodel
