// PTX as nvcc -ptx writes it, or cuobjdump -ptx prints it beside machine code: text in, the instructions of a
// function out. Nothing of it is run: it is counted (code_counts.hpp).
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

struct PtxInstruction {
  std::string_view guard;  // "%p1" of @%p1 and @!%p1; or ""
  std::string_view opcode; // "ld.global.nc.f32"
  std::vector<std::string_view> operands;
};

// Refers to the text that it was read from.
struct PtxCode {
  std::vector<PtxInstruction> instructions;
  std::map<std::string_view, std::size_t> labels; // the instruction that follows
};

// A mangled name without what stands for an unnamed namespace, which has the file's path in it: the same
// source compiled in another folder has another one.
std::string without_unnamed_namespaces(std::string_view name);

// The function of that name, unnamed namespaces apart; nullopt: the text has none, or none with instructions.
// Text that is no PTX is passed over, never refused.
std::optional<PtxCode> read_ptx(std::string_view text, std::string_view name);

} // namespace perfmodel
