#include "older_code.hpp"

#include "narrow_addresses.hpp"
#include "register_use.hpp"
#include "shared_operands.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <span>

namespace perfmodel {

namespace {

constexpr int fermi = 20, maxwell = 50, volta = 70, turing = 75, hopper = 90;

bool is_nothing(const CodeOperand& o) {
  return (o.kind == OperandKind::reg && o.index == zero_register) ||
         (o.kind == OperandKind::uniform && o.index == zero_uniform) ||
         (o.kind == OperandKind::integer && o.value == 0);
}

bool is_predicate_operand(const CodeOperand& o) {
  return o.kind == OperandKind::predicate || o.kind == OperandKind::uniform_predicate;
}

bool is_power_of_two(std::optional<std::int64_t> value) {
  return value && *value > 0 && std::has_single_bit(static_cast<std::uint64_t>(*value));
}

// Behind the result and the predicates that it carries out to.
std::span<const CodeOperand> sources_of(const Instruction& i) {
  std::size_t first = std::min<std::size_t>(1, i.operands.size());
  while (first < i.operands.size() && is_predicate_operand(i.operands[first]) && !i.operands[first].negated)
    ++first;
  return std::span(i.operands).subspan(first);
}

bool carries_out(const Instruction& i) {
  return i.operands.size() > 1 && is_predicate_operand(i.operands[1]) &&
         i.operands[1].index != true_predicate;
}

// Registers among the first three sources.
std::size_t added_terms(const Instruction& i) {
  const std::span<const CodeOperand> from = sources_of(i);
  return static_cast<std::size_t>(
      std::count_if(from.begin(), from.begin() + std::min<std::ptrdiff_t>(3, std::ssize(from)),
                    [](const CodeOperand& o) { return !is_nothing(o) && !is_predicate_operand(o); }));
}

bool is_size_of_launch(const CodeOperand& o) { // of a block, or of the grid
  constexpr std::int64_t sizes = 24;           // bytes of bank 0
  return o.kind == OperandKind::constant && o.bank == 0 && o.base == zero_register && o.value < sizes;
}

class Older {
public:
  Older(const KernelCode& code, int capability) : code_(code), capability_(capability) {
    for (const Instruction& i : code.instructions) uses_.push_back(register_use(i));
  }

  std::vector<OlderInstruction> made() {
    made_.resize(code_.instructions.size());
    if (capability_ < hopper && code_.capability >= hopper) leave_out_window();
    if (capability_ < fermi) {
      narrow_ = with_narrow_addresses(code_, uses_);
      for (std::size_t n = 0; n < made_.size(); ++n)
        if (!narrow_.needed[n]) made_[n].times = 0;
    }
    for (std::size_t n = 0; n < made_.size(); ++n)
      if (made_[n].times > 0) lower(n);
    if (capability_ < fermi) take_from_shared(code_, uses_, made_);
    return std::move(made_);
  }

private:
  // The instruction that has written what this one reads there: the last one before it in the listing, which
  // is right for what is made once, in front of all loops.
  std::optional<std::size_t> writer(std::size_t before, const CodeOperand& o) const {
    if (o.kind != OperandKind::reg && o.kind != OperandKind::uniform) return {};
    const auto place =
        static_cast<std::uint16_t>(o.index + (o.kind == OperandKind::uniform ? uniform_places : 0));
    while (before-- > 0) {
      const auto& writes = uses_[before].writes;
      if (std::find(writes.begin(), writes.end(), place) != writes.end()) return before;
    }
    return {};
  }

  bool reads_special(std::size_t n, std::string_view name) const {
    const Instruction& i = code_.instructions[n];
    return (i.is("S2R") || i.is("S2UR")) && i.operands.size() > 1 && i.operands[1].name.starts_with(name);
  }

  // Where shared memory begins among that of a cluster's blocks, 0x400 and the block's number in the highest
  // byte: S2UR UR6, SR_CgaCtaId; UMOV UR4, 0x400; ULEA UR4, UR6, UR4, 0x18.
  void leave_out_window() {
    for (std::size_t n = 0; n < made_.size(); ++n) {
      const Instruction& i = code_.instructions[n];
      if (reads_special(n, "SR_CgaCtaId")) made_[n].times = 0;
      if (!i.is("LEA") && !i.is("ULEA")) continue;
      const std::span<const CodeOperand> from = sources_of(i);
      const auto number = from.size() < 2 ? std::nullopt : writer(n, from[0]);
      if (!number || !reads_special(*number, "SR_CgaCtaId")) continue;
      made_[n].times = 0;
      if (const auto begin = writer(n, from[1]); begin && moves_a_number(code_.instructions[*begin]))
        made_[*begin].times = 0;
    }
  }

  // That an operand is, or that was put into its register.
  std::optional<std::int64_t> number(std::size_t n, const CodeOperand& o) const {
    if (o.kind == OperandKind::integer) return o.value;
    const auto by = writer(n, o);
    if (!by) return {};
    const Instruction& i = code_.instructions[*by];
    if (moves_a_number(i)) return i.operands.back().value;
    // HFMA2.MMA R5, -RZ, RZ, 0, 2.38e-07: two halves; the small ones are multiples of 2^-24.
    const double multiples = 16777216 * i.operands.back().number;
    const bool small = i.is("HFMA2") && i.operands.size() > 4 && is_nothing(sources_of(i)[0]) &&
                       i.operands.back().kind == OperandKind::real && multiples < 1024;
    return small ? std::optional(static_cast<std::int64_t>(std::lround(multiples))) : std::nullopt;
  }

  static bool moves_a_number(const Instruction& i) {
    return (i.is("MOV") || i.is("UMOV") || i.has(mod("MOV"))) && !i.operands.empty() &&
           i.operands.back().kind == OperandKind::integer;
  }

  // Where it takes nothing from registers but what the launch has in constant memory.
  bool is_constant(const Instruction& i) const {
    return (i.is("ULDC") || i.is("LDC") || i.is("LDCU")) && i.operands.size() > 1 &&
           i.operands[1].kind == OperandKind::constant && i.operands[1].base == zero_register &&
           i.operands[1].uniform_base == zero_uniform;
  }

  void lower(std::size_t n) {
    const Instruction& i = code_.instructions[n];
    OlderInstruction& made = made_[n];
    if (capability_ >= turing) return;
    if (is_constant(i)) {
      const bool stack = i.operands[0].kind == OperandKind::reg && i.operands[0].index == 1;
      made = {.opcode = "MOV", .times = static_cast<std::uint8_t>(stack && capability_ >= fermi ? 1 : 0)};
      return;
    }
    std::string_view opcode = i.opcode;
    if (opcode == "R2UR" || opcode == "UP2UR") made.times = 0;
    if (opcode.starts_with('U') || opcode == "VOTEU") {
      opcode = opcode == "VOTEU" ? opcode.substr(0, 4) : opcode.substr(1);
      made.opcode = opcode;
    }
    if (capability_ >= volta) return;
    if (opcode == "WARPSYNC" || opcode == "NOP") made.times = 0; // a NOP is what is left of __syncwarp
    if (opcode == "CS2R") made = {.opcode = "MOV", .times = 2};
    if (opcode == "HFMA2" && !sources_of(i).empty() && is_nothing(sources_of(i)[0]))
      made.opcode = "MOV"; // of a constant
    if (opcode == "IMAD") multiply(n);
    if (opcode == "LEA") shift_and_add(n);
    if ((opcode == "IADD3" || opcode == "LOP3" || opcode == "IADD") && capability_ < maxwell)
      made = {.opcode = opcode == "LOP3" ? "LOP" : "IADD",
              .times = static_cast<std::uint8_t>(added_terms(i) > 2 ? 2 : 1)};
  }

  void multiply(std::size_t n) {
    const Instruction& i = code_.instructions[n];
    OlderInstruction& made = made_[n];
    const std::span<const CodeOperand> from = sources_of(i);
    if (i.has(mod("MOV"))) made.opcode = "MOV";
    if (i.has(mod("IADD"))) made.opcode = "IADD";
    if (i.has(mod("SHL"))) made.opcode = "SHL";
    if (!made.opcode.empty() && made.opcode != "IMAD") return;
    if (from.size() < 3 || i.has(mod("HI"))) return;
    if (is_nothing(from[0]) || is_nothing(from[1])) {
      made.opcode = "MOV";
      return;
    }
    const bool shifts = is_power_of_two(number(n, from[1])) || is_power_of_two(number(n, from[0]));
    const std::uint8_t adds = is_nothing(from[2]) ? 1 : 2; // with a shift
    if (i.has(mod("WIDE"))) {
      if (capability_ < fermi && !narrow_.upper_needed[n])
        made =
            shifts ? OlderInstruction{.opcode = "IADD", .times = adds} : OlderInstruction{.opcode = "IMAD"};
      else if (capability_ < fermi)
        return; // all 64 bits
      else if (capability_ < maxwell)
        made = {.opcode = "IMAD", .times = 2};
      else if (shifts)
        made = {.opcode = "IADD", .times = 4};
    } else if (shifts) {
      made = capability_ < fermi ? OlderInstruction{.opcode = "IADD", .times = adds}
                                 : OlderInstruction{.opcode = "SHF"};
    } else if (capability_ < fermi && is_of_block(n, from)) {
      made = {.opcode = "IADD"}; // of 24 bits, as fast as an addition
    }
  }

  // A block's number times the size of a block or a grid.
  bool is_of_block(std::size_t n, std::span<const CodeOperand> from) const {
    const auto number = [&](const CodeOperand& o) {
      const auto by = writer(n, o);
      return by && reads_special(*by, "SR_CTAID");
    };
    const auto size = [&](const CodeOperand& o) {
      if (is_size_of_launch(o)) return true;
      const auto by = writer(n, o);
      return by && is_constant(code_.instructions[*by]) &&
             is_size_of_launch(code_.instructions[*by].operands[1]);
    };
    return (number(from[0]) && size(from[1])) || (number(from[1]) && size(from[0]));
  }

  void shift_and_add(std::size_t n) {
    const Instruction& i = code_.instructions[n];
    OlderInstruction& made = made_[n];
    const bool upper = i.has(mod("HI")), address = upper || carries_out(i);
    const std::span<const CodeOperand> from = sources_of(i);
    const auto base = from.size() > 1 ? writer(n, from[1]) : std::nullopt;
    const bool adds =
        from.size() > 1 && !is_nothing(from[1]) && !(base && made_[*base].times == 0 && is_lea(*base));
    if (capability_ < fermi)
      made = {.opcode = adds ? "IADD" : "SHL", .times = static_cast<std::uint8_t>(adds ? 2 : 1)};
    else if (capability_ < maxwell)
      made.opcode = address ? "IMAD" : "SHF";
  }

  bool is_lea(std::size_t n) const {
    return code_.instructions[n].is("LEA") || code_.instructions[n].is("ULEA");
  }

  const KernelCode& code_;
  int capability_;
  std::vector<RegisterUse> uses_;
  NarrowAddresses narrow_; // before cc 2.0
  std::vector<OlderInstruction> made_;
};

} // namespace

std::vector<OlderInstruction> as_older(const KernelCode& code, int capability) {
  const bool is_older =
      code.capability / 10 > capability / 10 || (code.capability >= turing && capability < turing);
  if (capability == 0 || code.capability < volta || !is_older)
    return std::vector<OlderInstruction>(code.instructions.size());
  return Older(code, capability).made();
}

} // namespace perfmodel
