// An expression's text as a row of tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace perfmodel::detail {

enum class TokenKind : std::uint8_t { number, name, sign, end };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text; // a part of what was given; of threadIdx.x "x", as it is called here
  std::size_t column = 1;
  std::int64_t value = 0; // of a number
};

// The last token is the end. Throws InputError with the column.
std::vector<Token> tokens(std::string_view text);

} // namespace perfmodel::detail
