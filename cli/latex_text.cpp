#include "latex_text.hpp"

#include "models/core/utf8.hpp"

namespace perfmodel::cli {

namespace {

// nullptr for a character that stands for itself.
const char* escaped(char c) {
  switch (c) {
  case '\\':
    return "\\textbackslash{}";
  case '{':
    return "\\{";
  case '}':
    return "\\}";
  case '$':
    return "\\$";
  case '&':
    return "\\&";
  case '#':
    return "\\#";
  case '%':
    return "\\%";
  case '_':
    return "\\_";
  case '^':
    return "\\textasciicircum{}";
  case '~':
    return "\\textasciitilde{}";
  case '<':
    return "\\textless{}"; // in the fonts that LaTeX begins with, < is another character
  case '>':
    return "\\textgreater{}";
  case '|':
    return "\\textbar{}";
  case '"':
    return "''";
  default:
    return nullptr;
  }
}

} // namespace

std::string latex_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (const char* known = escaped(c))
      out += known;
    else if (c == '-' && !out.empty() && out.back() == '-')
      out += "{}-"; // two hyphens would be set as a dash, and options begin with two
    else
      out += c;
  }
  return out;
}

} // namespace perfmodel::cli
