// What compilers for older GPUs write in place of instructions of newer code, as far as their instruction
// sets make them. So that code which is known for a new architecture alone can be asked about on an old one
// without paying there for what only the new one needs, or what only the new one does in one step.
//   before cc 9.0  shared memory begins at 0: nothing works out where a block of a cluster has it
//   before cc 7.5  no uniform registers: what lies at a known place of constant memory is an operand
//   before cc 7.0  an IMAD that only moves, adds or shifts is a move, an addition or a shift
//   before cc 5.0  two operands to an addition or a logic operation
//   cc 5.0 to 6.2  64-bit addresses by two shifts and two additions (of 32 bits, with carry)
//   cc 2.0 to 3.7  by two multiply-adds, IMAD.CC and IMAD.HI.X
//   cc 1.x         addresses of 32 bits; a word of shared memory is an operand of arithmetic, or is moved by
//                  the same pipe; products of a block's number and size have 24 bits
// Sources: NVIDIA, CUDA Binary Utilities, instruction set reference of each architecture; PTX ISA, mul24 and
// .address_size; Volkov and Demmel, Benchmarking GPUs to tune dense linear algebra, SC08 (operands in shared
// memory).
#pragma once

#include "listing.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace perfmodel {

struct OlderInstruction {
  std::string_view opcode;  // that it is charged as; "": its own. May refer to the code
  std::uint8_t times = 1;   // 0: an older GPU needs none
  bool from_shared = false; // arithmetic with an operand in shared memory
  // Of an access to shared memory by the pipe of arithmetic: its words, and those of them that take a move,
  // since no arithmetic has them as its operand.
  std::uint8_t words = 0, moved = 0;
  friend bool operator==(const OlderInstruction&, const OlderInstruction&) = default;
};

// One for each instruction of the code, for a GPU of this compute capability (20 for cc 2.0). Of code that is
// not newer, is older than cc 7.0 itself, or does not say how new it is, each is its own.
std::vector<OlderInstruction> as_older(const KernelCode& code, int capability);

} // namespace perfmodel
