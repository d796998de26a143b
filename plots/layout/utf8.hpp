// Text that comes from files and users, made safe to draw: UTF-8 read strictly, XML escaped.
#pragma once

#include <string>
#include <string_view>

namespace perfmodel::plots {

// Bytes that are no UTF-8 and characters that XML forbids become U+FFFD; line ends and tabs become spaces.
std::u32string decode(std::string_view text);
std::string encode(std::u32string_view text);
std::string escape_xml(std::string_view text);

// Columns of a terminal: 0 for a combining mark, 2 for wide characters, otherwise 1.
int columns_of(char32_t c);
int columns_of(std::string_view text);

// Cut to at most `columns`, the last of them an ellipsis.
std::string cut_to_columns(std::string_view text, int columns);

} // namespace perfmodel::plots
