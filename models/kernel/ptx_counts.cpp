#include "code_counts.hpp"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <unordered_map>
#include <utility>

namespace perfmodel {

namespace {

using Group = InstructionGroup;

bool among(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool has_word(std::string_view opcode, std::string_view word) {
  for (std::size_t at = 0; (at = opcode.find(word, at)) != opcode.npos; at += word.size()) {
    const std::size_t end = at + word.size();
    if (at > 0 && opcode[at - 1] == '.' && (end == opcode.size() || opcode[end] == '.' || opcode[end] == ':'))
      return true;
  }
  return false;
}

bool is_real(std::string_view opcode) {
  for (const std::string_view type : {"f16", "f16x2", "bf16", "bf16x2", "f32", "f64", "tf32", "f32x2"})
    if (has_word(opcode, type)) return true;
  return false;
}

Group memory_group(std::string_view opcode) {
  if (has_word(opcode, "param") || has_word(opcode, "const")) return Group::parameters;
  if (has_word(opcode, "shared")) return Group::shared;
  return has_word(opcode, "local") ? Group::local : Group::global;
}

Group group_of(std::string_view opcode) {
  const std::string_view word = opcode.substr(0, opcode.find('.'));
  const bool moves_bulk = has_word(opcode, "async") || has_word(opcode, "bulk");
  if (among(word, {"wgmma", "mma", "wmma", "ldmatrix", "stmatrix", "mbarrier", "tensormap", "cp"}) ||
      (word == "fence" && (moves_bulk || opcode.find("mbarrier") != opcode.npos)))
    return Group::tensor;
  if (among(word, {"ld", "ldu", "st", "atom", "red", "prefetch"})) return memory_group(opcode);
  if (among(word, {"mov", "cvta", "prmt"}))
    return has_word(opcode, "param") ? Group::parameters : Group::moves;
  if (among(word, {"setp", "set", "selp", "slct", "testp"}) || has_word(opcode, "pred"))
    return Group::compares;
  if (among(word, {"shfl", "vote", "match", "redux", "activemask", "elect"})) return Group::exchange;
  if (among(word, {"bar", "barrier", "membar", "fence", "griddepcontrol"})) return Group::barriers;
  if (among(word, {"bra", "brx", "ret", "exit", "call", "trap"})) return Group::branches;
  if (among(word, {"tex", "tld4", "suld", "sust"})) return Group::global;
  const bool real = is_real(opcode);
  if (among(word, {"sqrt", "rsqrt", "rcp", "sin", "cos", "lg2", "ex2", "tanh"}) ||
      (real && among(word, {"div", "cvt"})))
    return Group::functions;
  if (real) return Group::floats;
  const std::initializer_list<std::string_view> integers{
      "add", "sub",  "mul",  "mad",  "mul24", "mad24", "sad", "div",  "rem",  "abs",   "neg",  "min",  "max",
      "and", "or",   "xor",  "not",  "cnot",  "lop3",  "shf", "shl",  "shr",  "bfe",   "bfi",  "popc", "clz",
      "cvt", "addc", "subc", "madc", "bfind", "brev",  "fns", "dp4a", "dp2a", "szext", "bmsk", "vadd"};
  return among(word, integers) ? Group::integers : Group::other;
}

// Whether its first operand is no result.
bool only_reads(std::string_view opcode) {
  const std::string_view word = opcode.substr(0, opcode.find('.'));
  return among(word, {"st", "red", "bra", "brx", "bar", "barrier", "ret", "exit", "membar", "fence", "cp",
                      "prefetch", "trap", "stmatrix", "sust"}) ||
         (word == "mbarrier" && opcode.find("test") == opcode.npos && opcode.find("try") == opcode.npos);
}

class RegisterNumbers {
public:
  // Adds those that the operand names: %r1, [%rd2+16], {%f1, %f2}.
  void add(std::string_view operand, std::vector<std::uint32_t>& to) {
    for (std::size_t at = 0; (at = operand.find('%', at)) != operand.npos;) {
      std::size_t end = at + 1;
      while (end < operand.size() && (std::isalnum(static_cast<unsigned char>(operand[end])) != 0 ||
                                      operand[end] == '_' || operand[end] == '$'))
        ++end;
      const auto next = static_cast<std::uint32_t>(numbers_.size());
      to.push_back(numbers_.emplace(operand.substr(at, end - at), next).first->second);
      at = end;
    }
  }

private:
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

} // namespace

std::vector<CountedInstruction> counted(const PtxCode& ptx) {
  std::vector<CountedInstruction> all;
  RegisterNumbers registers;
  for (const PtxInstruction& i : ptx.instructions) {
    CountedInstruction made{.group = group_of(i.opcode), .opcode = i.opcode};
    made.conditional = !i.guard.empty();
    registers.add(i.guard, made.reads);
    for (std::size_t n = 0; n < i.operands.size(); ++n)
      registers.add(i.operands[n], n == 0 && !only_reads(i.opcode) ? made.writes : made.reads);
    if (i.opcode.starts_with("bra") && !i.operands.empty())
      if (const auto label = ptx.labels.find(i.operands.front());
          label != ptx.labels.end() && label->second < ptx.instructions.size())
        made.target = label->second;
    all.push_back(std::move(made));
  }
  return all;
}

} // namespace perfmodel
