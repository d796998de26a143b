#include "operand_text.hpp"

#include "operand_number.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace perfmodel {

namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

[[noreturn]] void refuse(std::string_view text) {
  throw InputError(fmt::format("{} is no operand that is known", quoted(text)));
}

// The number of "R12" behind its letters; 255 for RZ and the like is left to the caller.
std::optional<std::uint8_t> number_of(std::string_view text, std::size_t letters, unsigned most) {
  const auto digits = text.substr(letters);
  if (digits.empty() || digits.size() > 3) return std::nullopt;
  unsigned value = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<unsigned>(c - '0');
  }
  return value <= most ? std::optional(static_cast<std::uint8_t>(value)) : std::nullopt;
}

bool set_register(CodeOperand& made, std::string_view word) {
  const auto set = [&](OperandKind kind, std::optional<std::uint8_t> index) {
    if (!index) return false;
    made.kind = kind;
    made.index = *index;
    return true;
  };
  if (word == "RZ") return set(OperandKind::reg, zero_register);
  if (word == "URZ") return set(OperandKind::uniform, zero_uniform);
  if (word == "PT") return set(OperandKind::predicate, true_predicate);
  if (word == "UPT") return set(OperandKind::uniform_predicate, true_predicate);
  if (word.starts_with("UR")) return set(OperandKind::uniform, number_of(word, 2, 254));
  if (word.starts_with("UP")) return set(OperandKind::uniform_predicate, number_of(word, 2, 6));
  if (word.starts_with("R")) return set(OperandKind::reg, number_of(word, 1, 254));
  if (word.starts_with("P")) return set(OperandKind::predicate, number_of(word, 1, 6));
  if (word.starts_with("B")) return set(OperandKind::convergence, number_of(word, 1, 15));
  return false;
}

// "R2.64+UR4+0x10", "R2.X4", "-0x10": what stands in the brackets of an address.
void add_parts(CodeOperand& made, std::string_view inside) {
  std::string_view rest = without_blanks(inside);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('+', 1), rest.size());
    std::string_view part = without_blanks(rest.substr(0, end));
    rest = end < rest.size() ? rest.substr(end + 1) : std::string_view();
    bool minus = false;
    while (!part.empty() && (part.front() == '-' || part.front() == '+')) {
      minus = minus != (part.front() == '-');
      part.remove_prefix(1);
    }
    if (const auto number = unsigned_number(part)) {
      const auto offset = static_cast<std::int64_t>(*number);
      made.value += minus ? -offset : offset;
      continue;
    }
    const std::size_t dot = std::min(part.find('.'), part.size());
    CodeOperand register_of;
    if (minus || !set_register(register_of, part.substr(0, dot))) refuse(inside);
    std::string_view suffixes = part.substr(dot);
    if (register_of.kind == OperandKind::reg)
      made.base = register_of.index;
    else if (register_of.kind == OperandKind::uniform)
      made.uniform_base = register_of.index;
    else
      refuse(inside);
    while (!suffixes.empty()) {
      const std::size_t next = std::min(suffixes.find('.', 1), suffixes.size());
      const std::string_view suffix = suffixes.substr(1, next - 1);
      suffixes = suffixes.substr(next);
      if (suffix == "64")
        made.pair = true;
      else if (suffix == "X4")
        made.scale = 2;
      else if (suffix == "X8")
        made.scale = 3;
      else if (suffix == "X16")
        made.scale = 4;
      else if (suffix == "U32")
        made.narrow = true;
      else if (suffix != "reuse")
        refuse(inside);
    }
  }
}

CodeOperand bracketed(std::string_view text) {
  CodeOperand made;
  if (text.starts_with("desc[") || text.starts_with("gdesc[")) { // the descriptor is no part of the address
    const std::size_t end = text.find(']');
    if (end == text.npos) refuse(text);
    text = without_blanks(text.substr(end + 1));
    if (text.empty()) { // gdesc[UR4] alone: a tile of a tensor unit
      made.kind = OperandKind::special;
      made.name = "descriptor";
      return made;
    }
  }
  if (text.starts_with("c[") || text.starts_with("cx[")) {
    const std::size_t first = text.find('['), end = text.find(']');
    if (end == text.npos || end + 1 >= text.size() || text[end + 1] != '[' || text.back() != ']')
      refuse(text);
    const std::string_view bank = text.substr(first + 1, end - first - 1);
    made.kind = OperandKind::constant;
    if (const auto number = unsigned_number(bank); number && *number < 32)
      made.bank = static_cast<std::uint8_t>(*number);
    else
      made.bank = 255; // a bank that a register names
    add_parts(made, text.substr(end + 2, text.size() - end - 3));
    return made;
  }
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') refuse(text);
  made.kind = OperandKind::address;
  add_parts(made, text.substr(1, text.size() - 2));
  return made;
}

CodeOperand numeric(std::string_view text, std::string_view whole) {
  CodeOperand made;
  const bool minus = text.starts_with("-");
  if (const auto number = unsigned_number(minus ? text.substr(1) : text)) {
    made.kind = OperandKind::integer;
    made.value = static_cast<std::int64_t>(*number);
    if (minus) made.value = -made.value;
    made.number = static_cast<double>(made.value); // "FMUL R2, R3, 4" is printed so, too
    return made;
  }
  if (const auto number = real_number(text)) {
    made.kind = OperandKind::real;
    made.number = *number;
    return made;
  }
  refuse(whole);
}

} // namespace

std::vector<std::string_view> split_operands(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '[' || c == '{' || c == '(') ++depth;
    if (c == ']' || c == '}' || c == ')') --depth;
    const bool blank =
        c == ' ' && i > start && text[i - 1] != ' ' && text[i - 1] != ','; // "RET.REL.NODEC R4 0x0"
    if ((c != ',' && !blank) || (depth > 0 && i < text.size())) continue;
    const std::string_view part = without_blanks(text.substr(start, i - start));
    if (!part.empty() || (c == ',' && i < text.size() && !blank && start != i)) parts.push_back(part);
    start = i + 1;
  }
  return parts;
}

CodeOperand operand_from(std::string_view text) {
  const std::string_view whole = text = without_blanks(text);
  if (text.empty()) refuse(whole);
  if (text.find_first_of("0123456789") != text.npos &&
      text.find_first_not_of("+-.xXabcdefABCDEF0123456789") == text.npos &&
      (text[0] == '-' || text[0] == '+' || (text[0] >= '0' && text[0] <= '9') || text[0] == '.'))
    return numeric(text, whole);
  if (real_number(text)) return numeric(text, whole);
  bool negated = false, inverted = false, absolute = false;
  for (; !text.empty() && (text[0] == '-' || text[0] == '!' || text[0] == '~' || text[0] == '+');
       text.remove_prefix(1)) {
    negated = negated || text[0] == '-' || text[0] == '!';
    inverted = inverted || text[0] == '~';
  }
  if (text.size() > 2 && text.front() == '|') {
    const std::size_t end = text.find('|', 1);
    if (end == text.npos) refuse(whole);
    absolute = true;
    CodeOperand inner = operand_from(text.substr(1, end - 1));
    if (end + 1 < text.size())
      inner.name = std::string(text.substr(end + 2 <= text.size() ? end + 2 : end + 1));
    inner.absolute = absolute;
    inner.negated = negated;
    return inner;
  }
  CodeOperand made;
  if (text.find('[') != text.npos) {
    // c[0x0][0x210].H0_H0
    const std::size_t last = text.rfind(']');
    if (last == text.npos) refuse(whole);
    made = bracketed(text.substr(0, last + 1));
    if (last + 2 < text.size()) made.name = std::string(text.substr(last + 2));
  } else if (text.starts_with("SR") || text == "PR" || text == "UPR" || text.starts_with("SB") ||
             text.starts_with("gsb") || text.front() == '{') {
    // A special register; all predicates; the counter, or counters, that DEPBAR waits for; that of the
    // products of four warps.
    made.kind = OperandKind::special;
    made.name = std::string(text);
  } else {
    const std::size_t dot = std::min(text.find('.'), text.size());
    if (!set_register(made, text.substr(0, dot))) refuse(whole);
    for (std::string_view suffixes = text.substr(dot); !suffixes.empty();) {
      const std::size_t next = std::min(suffixes.find('.', 1), suffixes.size());
      const std::string_view suffix = suffixes.substr(1, next - 1);
      suffixes = suffixes.substr(next);
      if (suffix == "64")
        made.pair = true;
      else if (suffix == "reuse")
        made.reused = true;
      else
        made.name = std::string(suffix); // H0_H0, B1, ...
    }
  }
  made.negated = negated;
  made.inverted = inverted;
  return made;
}

} // namespace perfmodel
