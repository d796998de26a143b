// Machine code as cuobjdump -sass and nvdisasm -hex print it: text in, functions out. With the encoding
// beside an instruction the listing also says how warps wait (Control); without it dependences follow from
// registers. What the code's ELF file holds beside them is read where cuobjdump -elf has printed it into the
// same text, and where lines that begin with // say it:
//   // compiler: nvcc 13.0 -O3 -arch=sm_90        // target: sm_90
//   // params: 0x210 24; 0 0x0 8; 1 0x8 8         the bank's offset and size; of each its place and size
//   // registers: 32    // shared: 4096           // constant3: 0001020a..
#pragma once

#include "instruction.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

struct Parameter {
  std::uint32_t offset = 0, size = 0; // bytes; the offset is that from the first parameter
};

// A variable of the program in device memory. Constants of bank 4 are addresses of such.
struct GlobalVariable {
  std::string name;
  std::uint64_t size = 0;
  std::vector<std::uint8_t> initial; // empty: the listing does not say
  struct Use {
    std::uint32_t at = 0;    // byte of the bank
    std::int64_t beyond = 0; // the address, from the variable's first byte on
  };
  std::vector<Use> uses;
};

// A __constant__ variable: where it lies in constant bank 3.
struct ConstantVariable {
  std::string name;
  std::uint32_t at = 0, size = 0; // bytes
};

// What is done, apart from what it costs: instructions in the order of the machine code. Addresses of
// branches are those of the function.
struct KernelCode {
  std::string name;
  int capability = 0; // 90 for sm_90; 0: the listing does not say
  std::string compiler;
  std::vector<Instruction> instructions;
  std::optional<std::uint32_t> registers, shared; // of a thread, of a block
  std::optional<std::int64_t> threads;            // of a block, where the code takes no other number
  std::optional<std::uint32_t> parameter_base;
  std::vector<Parameter> parameters;
  std::map<int, std::vector<std::uint8_t>> constants; // by bank, what is known of it
  std::vector<GlobalVariable> variables;              // that its function's program has
  std::vector<ConstantVariable> constant_variables;
  bool has_encoding = false; // of every instruction

  // The place in `instructions` of an address. Throws InputError: there is none.
  std::size_t at(std::int64_t address, const Instruction& from) const;
};

// The names of all functions, in order.
std::vector<std::string> functions_of(std::string_view listing);

// One function by its name, or by a part of it that only one has; the only one where `name` is empty. Throws
// InputError: no such function, several, or a label that is not there. An instruction that is not understood
// says so (Instruction::unread).
KernelCode read_listing(std::string_view listing, std::string_view name);

// All functions of exactly this name, for the newest architecture that any is for: a program may be compiled
// from several files, or while it runs, with one name for different code. Throws InputError: one has no
// instructions.
std::vector<KernelCode> read_namesakes(std::string_view listing, std::string_view name);

} // namespace perfmodel
