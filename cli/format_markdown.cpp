#include "format.hpp"

#include "cell_text.hpp"
#include "folded.hpp"

#include "models/core/utf8.hpp"

#include <algorithm>
#include <string_view>

namespace perfmodel::cli {

namespace {
bool is_www(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == 'w' || c == 'W'; });
}

// What Markdown reads as markup: links and pictures, tables, emphasis, code, strike-through, HTML, entities.
std::string escaped(const std::string& raw) {
  const std::string text = printable(raw);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    // GitHub makes links of addresses without any markup: "https://...", "www....".
    const bool address =
        text.compare(i, 3, "://") == 0 || (c == '.' && i >= 3 && is_www(text.substr(i - 3, 3)));
    if (address || std::string_view("\\`*_~[]<>|&").find(c) != std::string_view::npos) out += '\\';
    out += c;
    // A name or a mail address behind it is linked after the escapes are gone: a comment ends the word.
    if (c == '@') out += "<!-- -->";
  }
  return out;
}

// A line of its own, whose text begins no heading, list or quotation.
std::string escaped_line(const std::string& text) {
  const bool markup = !text.empty() && std::string_view("#+-=").find(text.front()) != std::string_view::npos;
  return (markup ? "\\" : "") + escaped(text);
}
} // namespace

std::string to_markdown(const Result& result, Shown shown) {
  std::string out;
  const auto paragraph = [&](const std::string& text, const char* heading_mark = "") {
    out += (out.empty() ? "" : "\n") + std::string(heading_mark) + escaped_line(text) + "\n";
  };
  for (const std::string& verdict : result.verdict) paragraph(verdict);
  if (!result.title.empty()) paragraph(result.title, "## ");
  for (const Table& all : result.tables) {
    const Folded f = folded(all, fold_of(result), shown);
    paragraph(f.heading, "### ");
    if (!f.same.empty()) paragraph(f.same);
    out += "\n|";
    std::string rule = "|";
    for (const Column& column : f.table.columns) {
      out += " " + escaped(heading(column.name)) + " |";
      rule += column.is_text() ? " :-- |" : " --: |";
    }
    out += "\n" + rule + "\n";
    for (std::size_t row = 0; row < f.table.rows(); ++row) {
      out += "|";
      for (const Column& column : f.table.columns) {
        out += " " + escaped(text_under_head(column, row, f.integers[row])) + " |";
      }
      out += "\n";
    }
    for (const std::string& advice : f.advice) paragraph(advice);
    for (const std::string& note : f.table.notes) paragraph(note);
  }
  for (const std::string& note : result.notes) paragraph(note);
  return out;
}

} // namespace perfmodel::cli
