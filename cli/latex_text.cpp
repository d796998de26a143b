#include "latex_text.hpp"

#include "models/core/utf8.hpp"

#include <algorithm>
#include <utility>

namespace perfmodel::cli {

namespace {

// What LaTeX takes for a command, for an argument of the line before it ('[' and '*' behind \\), for a
// ligature, or draws as another sign in its old encoding.
constexpr std::pair<char, std::string_view> meant[] = {
    {'\\', "\\textbackslash{}"},
    {'{', "\\{"},
    {'}', "\\}"},
    {'$', "\\$"},
    {'&', "\\&"},
    {'#', "\\#"},
    {'%', "\\%"},
    {'_', "\\_"},
    {'^', "\\textasciicircum{}"},
    {'~', "\\textasciitilde{}"},
    {'<', "\\textless{}"},
    {'>', "\\textgreater{}"},
    {'|', "\\textbar{}"},
    {'"', "\\symbol{34}"},
    {'`', "\\textasciigrave{}"},
    {'\'', "\\textquotesingle{}"},
    {'[', "{[}"},
    {']', "{]}"},
    {'*', "{*}"},
};

} // namespace

std::string latex_text(std::string_view raw) {
  const std::string text = printable(raw);
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto* const escape =
        std::find_if(std::begin(meant), std::end(meant), [c](const auto& m) { return m.first == c; });
    if (escape != std::end(meant))
      out += escape->second;
    else
      out += c;
    // "--" is a dash, "?`" another sign, ",," a quotation mark.
    if (std::string_view("-,!?").find(c) != std::string_view::npos && i + 1 < text.size() && text[i + 1] == c)
      out += "{}";
  }
  return out;
}

} // namespace perfmodel::cli
