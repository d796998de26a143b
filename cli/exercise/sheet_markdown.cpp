#include "sheet.hpp"

#include <fmt/format.h>

namespace perfmodel::cli {

namespace {

// Of a paragraph: what Markdown obeys. An underline within a word is none of that.
std::string markdown_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '*' || c == '<' || c == '[' || c == ']' || c == '`' || c == '\\' || c == '|') out += '\\';
    out += c;
  }
  return out;
}

// Between backquotes everything is shown as it is, but a backquote.
std::string markdown_code(std::string text) {
  for (char& c : text)
    if (c == '`') c = '\'';
  return "`" + text + "`";
}

std::string markdown_given(const Question& question) {
  std::string out;
  for (const Step& step : question.given) {
    const GivenLine line = given_line(step);
    out += fmt::format("   * {}{}\n", markdown_code(line.fact),
                       line.meaning.empty() ? "" : ": " + markdown_text(line.meaning));
  }
  return out.empty() ? "" : "\n   Given:\n\n" + out;
}

std::string markdown_solution(const Question& question) {
  std::string out;
  for (const Step& step : question.steps) {
    const SolutionLine line = solution_line(step);
    std::string equation = line.symbol;
    for (const std::string& side : {line.formula, line.numbers, line.value})
      if (!side.empty()) equation += " = " + side;
    out += fmt::format("   * {}{}\n", markdown_code(equation),
                       line.meaning.empty() ? "" : ": " + markdown_text(line.meaning));
  }
  for (const std::string& sentence : question.because) out += "   * " + markdown_text(sentence) + "\n";
  return out + fmt::format("   * **{}**; {}\n", markdown_text(answer_text(question)),
                           markdown_code(question.command));
}

} // namespace

std::string sheet_markdown(const Sheet& sheet, Parts parts) {
  std::string out =
      fmt::format("# {}{}\n", markdown_text(sheet.title), parts == Parts::key ? ": solutions" : "");
  int number = 0;
  for (const Question& question : sheet.questions) {
    out += fmt::format("\n{}. ", ++number);
    if (parts == Parts::key) {
      out += "Solution:\n\n" + markdown_solution(question);
      continue;
    }
    out += markdown_text(question.text) + "\n" + markdown_given(question);
    if (parts == Parts::both) out += "\n   Solution:\n\n" + markdown_solution(question);
  }
  return out;
}

} // namespace perfmodel::cli
