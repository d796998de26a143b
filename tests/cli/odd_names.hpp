// Names that mean ill, and what an answer that holds one may show.
#pragma once

#include "program.hpp"

#include "hwdb/result_file.hpp"
#include "models/core/utf8.hpp"

#include <gtest/gtest.h>

namespace perfmodel::odd_names {

// C0, the 8-bit CSI, the same byte without UTF-8, a title, a bell, a right-to-left override, no UTF-8 at all.
inline const std::vector<std::string> orders = {"\x1b[31mred",
                                                "\xC2\x9B"
                                                "31mred",
                                                "\x9B"
                                                "31mred",
                                                "\x1b]0;title\x07",
                                                "a\rb\x08\x7F",
                                                "\xE2\x80\xAE"
                                                "002h",
                                                "\xFF\xFE\xC0\x80",
                                                "\xED\xA0\x80",
                                                "a\xE2\x82"};
inline const std::vector<std::string> formulas = {"=1+1",
                                                  "=cmd|' /C calc'!A0",
                                                  "+a1",
                                                  "-a1+2",
                                                  "@SUM(A1)",
                                                  "\t=1+1",
                                                  "\r=1+1",
                                                  " =1+1",
                                                  "\xEF\xBB\xBF=1+1",
                                                  "\xE2\x80\x8B @SUM(A1)",
                                                  "\xEF\xBC\x9D"
                                                  "1+1",
                                                  "a;=1+1"};
inline const std::vector<std::string> markup = {"[click](http://example.org)",
                                                "![x](http://example.org/x.png)",
                                                "a|b|c",
                                                "<img src=x onerror=alert(1)>",
                                                "`code`",
                                                "**bold** _it_ ~~gone~~",
                                                "&lt;b&gt;",
                                                "</title><script>alert(1)</script>",
                                                "http://example.org and WWW.example.org",
                                                "somebody@example.org, @somebody"};

inline std::vector<std::string> every_name() {
  std::vector<std::string> all = orders;
  all.insert(all.end(), formulas.begin(), formulas.end());
  all.insert(all.end(), markup.begin(), markup.end());
  return all;
}

// Valid UTF-8 and nothing in it but text and line ends.
inline void expect_safe(const std::string& text, const std::string& what) {
  std::size_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_character(text, at);
    line += c == U'\n' ? 1 : 0;
    ASSERT_TRUE(c != no_character && (c == U'\n' || !is_control(c)))
        << what << ": " << static_cast<unsigned long>(c) << " in line " << line;
  }
}

inline std::vector<std::string> asking(std::vector<std::string> question, const std::string& format) {
  question.insert(question.end(), {"--format", format});
  return question;
}

// What each format makes of an answer that holds `name`, in tables or sentences.
inline void expect_safe_everywhere(const std::vector<std::string>& question, const std::string& name) {
  for (const char* format : {"text", "csv", "markdown", "json"}) {
    const Answer a = perfmodel(asking(question, format));
    ASSERT_TRUE(a.code == 0 || a.code == 1) << printable(name) << ": " << a.err;
    expect_safe(a.out, std::string(format) + " of " + printable(name));
    expect_safe(a.err, std::string(format) + " of " + printable(name));
    if (std::string_view(format) == "json") {
      EXPECT_NO_THROW(hwdb::record_from_json(a.out, "answer")) << printable(name);
    }
  }
}

// The cells of a CSV as a spreadsheet takes them: where the comma is decimal, it parts them at semicolons.
inline std::vector<std::string> cells_of(const std::string& csv, char separator) {
  std::vector<std::string> cells{""};
  bool quoted = false;
  for (const char c : csv)
    if (c == '"' && (quoted || cells.back().empty())) // elsewhere it is a letter like others
      quoted = !quoted;
    else if (!quoted && (c == separator || c == '\n'))
      cells.emplace_back();
    else
      cells.back() += c;
  return cells;
}

inline void expect_no_formula(const std::string& csv, const std::string& name) {
  std::vector<std::string> cells = cells_of(csv, ',');
  for (std::string& cell : cells_of(csv, ';'))
    if (cell.empty() || cell.front() != ' ') cells.push_back(std::move(cell)); // "; -x" is prose
  for (const std::string& cell : cells) {
    EXPECT_NE(cell.compare(0, 3, "\xEF\xBC\x9D"), 0) << "a full-width equals sign";
    // With the bytes of a byte order mark and of a space without width.
    const std::size_t first = cell.find_first_not_of(" \n\t\r\xEF\xBB\xBF\xE2\x80\x8B");
    if (first == cell.npos || std::string_view("=+-@").find(cell[first]) == std::string_view::npos) continue;
    EXPECT_EQ(cell.find_first_not_of("0123456789.e+-"), cell.npos) << printable(name) << ": " << cell;
  }
}

} // namespace perfmodel::odd_names
