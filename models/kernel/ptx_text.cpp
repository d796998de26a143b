#include "ptx_text.hpp"

#include "models/core/quantity_text.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace perfmodel {

namespace {

bool is_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
}

// The outer commas split; those within [a+4, b], {a, b} and (a, b) do not.
std::vector<std::string_view> split_outside_brackets(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    depth += c == '[' || c == '{' || c == '(' ? 1 : c == ']' || c == '}' || c == ')' ? -1 : 0;
    if (at < text.size() && (c != ',' || depth > 0)) continue;
    if (const std::string_view part = trimmed(text.substr(from, at - from)); !part.empty())
      parts.push_back(part);
    from = at + 1;
  }
  return parts;
}

PtxInstruction instruction_from(std::string_view text) {
  PtxInstruction made;
  const auto word = [&] {
    const std::size_t end = std::min(text.find_first_of(" \t\r\n"), text.size());
    const std::string_view first = text.substr(0, end);
    text = trimmed(text.substr(end));
    return first;
  };
  if (text.front() == '@') {
    made.guard = word().substr(1);
    if (!made.guard.empty() && made.guard.front() == '!') made.guard.remove_prefix(1);
  }
  made.opcode = word();
  made.operands = split_outside_brackets(text);
  return made;
}

// A function's body, from behind its first brace.
class PtxReader {
public:
  explicit PtxReader(std::string_view text) : rest_(text) {}

  PtxCode take() {
    for (int depth = 1; skip_blanks() && depth > 0;) {
      const char c = rest_.front();
      if (c == '{' || c == '}') {
        depth += c == '{' ? 1 : -1;
        rest_.remove_prefix(1);
      } else if (const std::string_view label = label_in_front(); !label.empty()) {
        code_.labels[label] = code_.instructions.size();
      } else {
        statement();
      }
    }
    return std::move(code_);
  }

private:
  void skip_behind(std::string_view end) {
    const std::size_t at = rest_.find(end);
    rest_.remove_prefix(at == rest_.npos ? rest_.size() : at + end.size());
  }
  // Blanks and comments; false at the end of the text.
  bool skip_blanks() {
    for (;;) {
      rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n;"), rest_.size()));
      if (rest_.starts_with("//"))
        skip_behind("\n");
      else if (rest_.starts_with("/*"))
        skip_behind("*/");
      else
        return !rest_.empty();
    }
  }
  std::string_view label_in_front() {
    std::size_t end = 0;
    while (end < rest_.size() && is_of_name(rest_[end])) ++end;
    if (end == 0 || end >= rest_.size() || rest_[end] != ':' || rest_.substr(end).starts_with("::"))
      return {};
    const std::string_view label = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return label;
  }
  void statement() {
    // Lines for a debugger, the only directives within a body that no semicolon ends.
    if (rest_.starts_with(".loc") || rest_.starts_with(".file")) return skip_behind("\n");
    const std::size_t end = std::min(rest_.find(';'), rest_.size());
    const std::string_view text = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    if (text.empty() || text.front() == '.') return;
    if (PtxInstruction made = instruction_from(text); !made.opcode.empty())
      code_.instructions.push_back(std::move(made));
  }

  std::string_view rest_;
  PtxCode code_;
};

} // namespace

std::string without_unnamed_namespaces(std::string_view name) {
  // The length of the component goes before it: 37_GLOBAL__N__40b29fa3_5_pi_cu_0db07ceb.
  std::string made(name);
  constexpr std::string_view unnamed = "_GLOBAL__N_";
  for (std::size_t at = 0; (at = made.find(unnamed, at)) != made.npos;) {
    std::size_t digits = at, length = 0;
    while (digits > 0 && std::isdigit(static_cast<unsigned char>(made[digits - 1])) != 0) --digits;
    for (std::size_t i = digits; i < at && length < made.size(); ++i)
      length = 10 * length + static_cast<std::size_t>(made[i] - '0');
    if (length < unnamed.size() || at + length > made.size()) {
      at += unnamed.size();
      continue;
    }
    made.erase(digits, at - digits + length);
    at = digits;
  }
  return made;
}

std::optional<PtxCode> read_ptx(std::string_view text, std::string_view name) {
  constexpr std::string_view entry = ".entry";
  const std::string wanted = without_unnamed_namespaces(name);
  for (std::size_t at = 0; (at = text.find(entry, at)) != text.npos;) {
    at += entry.size();
    const std::string_view head = trimmed(text.substr(at, text.find_first_of("({;", at) - at));
    if (without_unnamed_namespaces(head) != wanted) continue;
    const std::size_t body = text.find_first_of("{;", at);
    if (body == text.npos || text[body] == ';') continue; // declared, not defined
    PtxCode code = PtxReader(text.substr(body + 1)).take();
    if (!code.instructions.empty()) return code;
  }
  return std::nullopt;
}

} // namespace perfmodel
