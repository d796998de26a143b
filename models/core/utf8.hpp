// Text that others wrote (names in files, words of a command line): read strictly as UTF-8, and made safe to
// show. Every format's own escaping (CSV, Markdown, JSON, XML) starts from here.
#pragma once

#include <string>
#include <string_view>

namespace perfmodel {

// What next_character returns for a byte that is part of no UTF-8: no character has this number.
inline constexpr char32_t no_character = 0xFFFFFFFF;

// The character that starts at `at`, which moves behind it; `no_character`, and one byte on, where there is
// none. Overlong forms and surrogates are none (The Unicode Standard, table 3-7).
char32_t next_character(std::string_view text, std::size_t& at);

// What a terminal obeys instead of showing it (C0, DEL and C1 of ECMA-48), and what turns the order of the
// text around it (bidirectional controls of Unicode, UAX 9), so that a name reads as another one.
bool is_control(char32_t c);

// Valid UTF-8 without controls: line breaks and tabs become spaces, each other control and each byte that is
// no UTF-8 becomes '?'.
std::string printable(std::string_view text);
// The same of a whole page, whose line feeds stay.
std::string printable_lines(std::string_view text);

} // namespace perfmodel
