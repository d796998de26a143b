#include "function_text.hpp"

#include "operand_text.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

namespace {

std::uint64_t hex(std::string_view text) {
  std::uint64_t value = 0;
  for (const char c : text) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) break;
    value = value << 4 | static_cast<std::uint64_t>(digit);
  }
  return value;
}

// The encoding that a line ends with: "/* 0x000fe400078e00ff */".
std::optional<std::uint64_t> encoding_of(std::string_view line) {
  const std::size_t at = line.rfind("/* 0x");
  if (at == line.npos) return std::nullopt;
  return hex(line.substr(at + 5));
}

Control control_of(std::uint64_t upper) {
  const auto bits = [&](unsigned from, unsigned count) {
    return static_cast<std::uint8_t>(upper >> from & ((1U << count) - 1));
  };
  return {.known = true,
          .yields = bits(45, 1) == 0,
          .stall = bits(41, 4),
          .write_counter = bits(46, 3),
          .read_counter = bits(49, 3),
          .wait_mask = bits(52, 6)};
}

// "64x128x16": 64 rows, which four warps share, so many columns, and terms of each sum.
std::optional<std::uint16_t> columns_of_product(std::string_view word) {
  if (!word.starts_with("64x")) return std::nullopt;
  word.remove_prefix(3);
  std::uint16_t columns = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), columns);
  if (error != std::errc() || end == word.data() + word.size() || *end != 'x') return std::nullopt;
  constexpr std::uint16_t most = 256, step = 8;
  return columns > 0 && columns <= most && columns % step == 0 ? std::optional(columns) : std::nullopt;
}

class FunctionReader {
public:
  explicit FunctionReader(KernelCode& code) : code_(code) {}

  void take(std::string_view line, std::size_t number) {
    const std::string_view text = trimmed(line);
    if (text.empty()) return;
    if (code_.capability == 0 && text.find("EF_CUDA_SM") != text.npos) code_.capability = capability_of(text);
    if (text.starts_with("//")) return comment(trimmed(text.substr(2)), number);
    if (text.starts_with("/*") && text.size() > 6 && text.substr(2, 2) != " 0")
      return instruction(text, number);
    if (text.starts_with("/* 0x")) return upper_half(text, number);
    if (text.back() == ':' && text.front() == '.')
      labels_.emplace_back(text.substr(0, text.size() - 1), code_.instructions.size());
  }

  void finish() {
    for (const auto& jump : jumps_) { // of a structured binding clang 14 captures nothing
      const auto& [instruction, label] = jump;
      const auto at =
          std::find_if(labels_.begin(), labels_.end(), [&](const auto& l) { return l.first == jump.second; });
      Instruction& from = code_.instructions[instruction];
      if (at == labels_.end())
        throw InputError(fmt::format("line {}: no label {} in this function", from.line, quoted(label)));
      const bool behind_all = at->second == code_.instructions.size();
      from.operands.push_back({.kind = OperandKind::integer,
                               .value = behind_all ? code_.instructions.back().address + 16
                                                   : code_.instructions[at->second].address});
    }
    code_.has_encoding =
        !code_.instructions.empty() && std::all_of(code_.instructions.begin(), code_.instructions.end(),
                                                   [](const Instruction& i) { return i.control.known; });
  }

private:
  // "params: 0x210 24; 0 0x0 8" and its like.
  void comment(std::string_view text, std::size_t line) {
    const auto value = [&](std::string_view key) -> std::optional<std::string> {
      return text.starts_with(key) ? std::optional(std::string(trimmed(text.substr(key.size()))))
                                   : std::nullopt;
    };
    const auto number = [](const std::string& word) {
      return static_cast<std::uint32_t>(std::strtoul(word.c_str(), nullptr, 0));
    };
    if (const auto word = value("compiler:")) code_.compiler = *word;
    if (const auto word = value("registers:")) code_.registers = number(*word);
    if (const auto word = value("shared:")) code_.shared = number(*word);
    if (const auto word = value("target:")) code_.capability = capability_of(*word);
    if (const auto word = value("params:")) parameters(*word);
    if (text.starts_with("constant")) constants(text.substr(8), line);
  }
  void parameters(const std::string& text) {
    const char* at = text.c_str();
    char* end = nullptr;
    const auto next = [&] {
      const unsigned long value = std::strtoul(at, &end, 0);
      const bool read = end != at;
      at = end;
      while (*at == ';' || *at == ' ') ++at;
      return read ? std::optional(static_cast<std::uint32_t>(value)) : std::nullopt;
    };
    code_.parameter_base = next();
    next();
    while (next()) { // its ordinal
      const auto offset = next(), size = next();
      if (!offset || !size || *size == 0 || *size > 4096) return;
      code_.parameters.push_back({*offset, *size});
    }
    std::sort(code_.parameters.begin(), code_.parameters.end(),
              [](const Parameter& a, const Parameter& b) { return a.offset < b.offset; });
  }
  void constants(std::string_view text, std::size_t line) {
    const std::size_t colon = text.find(':');
    if (colon == text.npos) return;
    std::vector<std::uint8_t>& bytes = code_.constants[std::atoi(std::string(text.substr(0, colon)).c_str())];
    const std::string_view digits = trimmed(text.substr(colon + 1));
    if (digits.size() % 2 != 0 || digits.find_first_not_of("0123456789abcdefABCDEF") != digits.npos)
      throw InputError(fmt::format("line {}: constants are bytes, of two hexadecimal digits each", line));
    for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
      bytes.push_back(static_cast<std::uint8_t>(hex(digits.substr(i, 2))));
  }

  // "/*0010*/  @!P0 BRA 0x40 ;  /* 0x... */"
  void instruction(std::string_view line, std::size_t number) {
    const std::size_t end = line.find("*/");
    if (end == line.npos) return;
    const auto address = static_cast<std::uint32_t>(hex(line.substr(2, end - 2)));
    std::string_view text = line.substr(end + 2);
    const std::optional<std::uint64_t> encoding = encoding_of(text);
    if (const std::size_t comment = text.find("/*"); comment != text.npos) text = text.substr(0, comment);
    text = trimmed(text);
    while (!text.empty() && (text.back() == ';' || text.back() == '}' || text.back() == ' '))
      text.remove_suffix(1);
    if (!text.empty() && text.front() == '{') text = trimmed(text.substr(1));
    // Behind an indirect branch nvdisasm notes where it may go: (*"BRANCH_TARGETS .L_x_1"*).
    if (const std::size_t note = text.find("(*"); note != text.npos) text = trimmed(text.substr(0, note));
    if (text.empty()) return;
    check_address(address, number);
    Instruction made{.address = address, .text = std::string(text), .line = number};
    try {
      read(text, made);
    } catch (
        const InputError& e) { // code that is never reached, such as a failed assertion's, does not matter
      made.unread = e.what();
    }
    code_.instructions.push_back(std::move(made));
    has_lower_ = encoding.has_value();
  }
  void read(std::string_view text, Instruction& made) {
    if (text.front() == '@') {
      const std::size_t blank = std::min(text.find(' '), text.size());
      made.guard = operand_from(text.substr(1, blank - 1));
      text = trimmed(text.substr(blank));
    }
    const std::size_t blank = std::min(text.find(' '), text.size());
    std::string_view words = text.substr(0, blank);
    made.opcode = std::string(words.substr(0, words.find('.')));
    while (words.find('.') != words.npos) {
      words.remove_prefix(words.find('.') + 1);
      const std::string_view word = words.substr(0, words.find('.'));
      if (const auto columns = columns_of_product(word)) {
        made.columns = *columns;
        continue;
      }
      const auto modifier = find_modifier(word);
      if (!modifier) throw InputError(fmt::format("modifier {} is not known", quoted(word)));
      made.modifiers.set(*modifier);
    }
    for (const std::string_view operand : split_operands(text.substr(blank))) {
      if (operand.starts_with("`("))
        jumps_.emplace_back(code_.instructions.size(), operand.substr(2, operand.size() - 3));
      else
        made.operands.push_back(operand_from(operand));
    }
  }
  // Instructions follow one another every 16 bytes; before Volta every 8, with words between that control
  // those behind them. A listing that was edited has a hole, or a line twice.
  void check_address(std::uint32_t address, std::size_t number) const {
    if (code_.instructions.empty()) return;
    const std::uint32_t before = code_.instructions.back().address;
    if (address == before + 16 || (code_.capability < 70 && address == before + 8)) return;
    throw InputError(fmt::format("line {}: the instruction at {:#06x} does not follow the one at {:#06x}: "
                                 "lines are missing between them, or in another order",
                                 number, address, before));
  }
  void upper_half(std::string_view text, std::size_t number) {
    if (!has_control()) return;
    if (!has_lower_ && code_.capability >= 70)
      throw InputError(fmt::format("line {}: the second half of an instruction whose first is not in front "
                                   "of it",
                                   number));
    if (!has_lower_ || code_.instructions.empty()) return;
    code_.instructions.back().control = control_of(hex(text.substr(5)));
    has_lower_ = false;
  }
  // Where it is known where the fields sit.
  bool has_control() const { return code_.capability == 0 || code_.capability >= 70; }

  KernelCode& code_;
  std::vector<std::pair<std::string_view, std::size_t>> labels_; // the instruction that follows
  std::vector<std::pair<std::size_t, std::string_view>> jumps_;
  bool has_lower_ = false;
};

} // namespace

int capability_of(std::string_view line) {
  std::size_t at = line.find("sm_");
  if (at == line.npos) at = line.find("_SM");
  return at == line.npos ? 0 : std::atoi(std::string(line.substr(at + 3, 3)).c_str());
}

void read_function(KernelCode& code, ListingLines lines) {
  FunctionReader reader(code);
  while (const auto line = lines.next()) reader.take(*line, lines.number);
  reader.finish();
}

} // namespace perfmodel
