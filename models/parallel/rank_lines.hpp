// The lines of a program of ranks, and the words in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::rank_lines {

struct Line {
  int number;
  std::string_view first, rest; // the first word, and what follows it
};

// Throws InputError: "line 3: what".
[[noreturn]] void refuse(int line, const std::string& what);

// Those that are not empty, without comments. Throws InputError: too many.
std::vector<Line> lines_of(std::string_view text);

bool is_name(std::string_view word); // letters, digits and _, no digit first

// Throws InputError where `text` is none from 0 to 10^9.
std::int64_t whole(int line, std::string_view text, std::string_view of);

// Cuts `rest` before " word ", and returns what follows it; empty where the word is not there.
std::string_view cut_after(std::string_view& rest, std::string_view word);

// "0", "0,2", "1..3"; "all" is of `all` ranks, 0 where they are not known yet. Throws InputError.
std::vector<std::size_t> ranks_named(const Line& line, std::size_t all);

} // namespace perfmodel::rank_lines
