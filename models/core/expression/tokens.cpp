#include "tokens.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace perfmodel::detail {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return is_letter(c) && lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

// "4000", "0x1f". A leading zero means octal in C and nothing to most people, so it is refused.
std::int64_t number(std::string_view text, std::size_t column) {
  const bool hex = text.size() > 1 && (text[1] == 'x' || text[1] == 'X');
  const std::int64_t base = hex ? 16 : 10;
  const std::string_view digits = hex ? text.substr(2) : text;
  const bool octal = !hex && digits.size() > 1 && digits.front() == '0';
  const auto is_of_base = [&](char c) { return digit_value(c) < base; };
  if (digits.empty() || octal || !std::all_of(digits.begin(), digits.end(), is_of_base))
    throw InputError(
        fmt::format("column {}: {} is no whole number such as 10 or 0x1f", column, quoted(text)));
  std::int64_t value = 0;
  for (const char c : digits) {
    if (value > (std::numeric_limits<std::int64_t>::max() - digit_value(c)) / base)
      throw InputError(fmt::format("column {}: {} needs more than 63 bits", column, quoted(text)));
    value = value * base + digit_value(c);
  }
  return value;
}

// Longest first, so that "<<" is not two "<".
constexpr auto signs =
    std::to_array<std::string_view>({"<<", ">>", "&&", "||", "==", "!=", "<=", ">=", "+", "-", "*", "/",
                                     "%",  "&",  "|",  "^",  "~",  "!",  "<",  ">",  "?", ":", "(", ")"});

// The first character of `text`, of however many bytes.
std::string_view character(std::string_view text) {
  std::size_t size = 1;
  while (size < text.size() && (text[size] & 0xc0) == 0x80) ++size;
  return text.substr(0, size);
}

struct CudaName {
  std::string_view cuda, name;
};
constexpr auto cuda_names = std::to_array<CudaName>({{"threadIdx.x", "x"},
                                                     {"threadIdx.y", "y"},
                                                     {"threadIdx.z", "z"},
                                                     {"blockIdx.x", "bx"},
                                                     {"blockIdx.y", "by"},
                                                     {"blockIdx.z", "bz"},
                                                     {"blockDim.x", "dx"},
                                                     {"blockDim.y", "dy"},
                                                     {"blockDim.z", "dz"},
                                                     {"gridDim.x", "gx"},
                                                     {"gridDim.y", "gy"},
                                                     {"gridDim.z", "gz"}});

bool is_in_name(char c) { return is_digit(c) || is_letter(c); }

// What stands at the start of `rest` as CUDA C writes it; nullptr for anything else.
const CudaName* cuda_name(std::string_view rest) {
  const auto* found = std::find_if(cuda_names.begin(), cuda_names.end(), [&](const CudaName& known) {
    const std::size_t size = known.cuda.size();
    return rest.substr(0, size) == known.cuda && (rest.size() == size || !is_in_name(rest[size]));
  });
  return found == cuda_names.end() ? nullptr : found;
}

} // namespace

std::vector<Token> tokens(std::string_view text) {
  std::vector<Token> found;
  std::size_t at = 0;
  while (true) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n')) ++at;
    Token token{.text = {}, .column = at + 1};
    if (at == text.size()) {
      found.push_back(token);
      return found;
    }
    const std::string_view rest = text.substr(at);
    if (const CudaName* known = cuda_name(rest)) {
      token.text = known->name;
      token.kind = TokenKind::name;
      at += known->cuda.size();
      found.push_back(token);
      continue;
    }
    if (is_in_name(rest[0])) {
      std::size_t size = 1;
      while (size < rest.size() && is_in_name(rest[size])) ++size;
      token.text = rest.substr(0, size);
      token.kind = is_digit(rest[0]) ? TokenKind::number : TokenKind::name;
      if (token.kind == TokenKind::number) token.value = number(token.text, token.column);
    } else {
      const auto* sign = std::find_if(signs.begin(), signs.end(),
                                      [&](std::string_view s) { return rest.substr(0, s.size()) == s; });
      if (sign == signs.end() && rest[0] == '=')
        throw InputError(fmt::format("column {}: '=' assigns; '==' compares", token.column));
      if (sign == signs.end() && rest[0] == '.')
        throw InputError(
            fmt::format("column {}: '.' is not known: expressions are of whole numbers", token.column));
      if (sign == signs.end())
        throw InputError(
            fmt::format("column {}: {} is no part of an expression", token.column, quoted(character(rest))));
      if (*sign == "(" && !found.empty() && found.back().kind == TokenKind::name)
        throw InputError(fmt::format("column {}: {} is no function: there are operators alone, such as "
                                     "a < b ? a : b for the lesser",
                                     found.back().column, quoted(found.back().text)));
      token.text = rest.substr(0, sign->size());
      token.kind = TokenKind::sign;
    }
    at += token.text.size();
    found.push_back(token);
  }
}

} // namespace perfmodel::detail
