#include "sheet.hpp"

#include "cli/latex_text.hpp"

#include <fmt/format.h>

namespace perfmodel::cli {

namespace {

// Escaped, with the sign of multiplication for the letter, and places where a long line may break.
std::string latex_formula(const std::string& text) {
  std::string out = latex_text(text);
  for (std::size_t at = out.find(" x "); at != std::string::npos; at = out.find(" x ", at + 1))
    out.replace(at, 3, " $\\times$ ");
  return out;
}

std::string latex_command(const std::string& command) { return "\\texttt{" + latex_text(command) + "}"; }

std::string latex_list(const std::string& items) {
  return items.empty() ? "" : "\\begin{itemize}\n" + items + "\\end{itemize}\n";
}

std::string latex_given(const Question& question) {
  std::string items;
  for (const Step& step : question.given) {
    const GivenLine line = given_line(step);
    items += fmt::format("\\item {}{}\n", latex_text(line.fact),
                         line.meaning.empty() ? "" : ": " + latex_text(line.meaning));
  }
  return latex_list(items);
}

std::string latex_solution(const Question& question) {
  std::string items;
  for (const Step& step : question.steps) {
    const SolutionLine line = solution_line(step);
    std::string equation = latex_text(line.symbol);
    for (const std::string& side : {line.formula, line.numbers, line.value})
      if (!side.empty()) equation += " = " + latex_formula(side);
    items +=
        fmt::format("\\item {}{}\n", equation, line.meaning.empty() ? "" : ": " + latex_text(line.meaning));
  }
  for (const std::string& sentence : question.because) items += "\\item " + latex_formula(sentence) + "\n";
  return latex_list(items) + fmt::format("Answer: \\textbf{{{}}}. {}\n", latex_text(answer_text(question)),
                                         latex_command(question.command));
}

} // namespace

std::string sheet_latex(const Sheet& sheet, Parts parts) {
  std::string out = "\\documentclass[a4paper]{article}\n"
                    "\\usepackage[utf8]{inputenc}\n"
                    "\\raggedright\n"
                    "\\begin{document}\n";
  out += fmt::format("\\section*{{{}{}}}\n\\begin{{enumerate}}\n", latex_text(sheet.title),
                     parts == Parts::key ? ": solutions" : "");
  for (const Question& question : sheet.questions) {
    out += "\\item ";
    if (parts != Parts::key) out += latex_text(question.text) + "\n" + latex_given(question);
    if (parts == Parts::both) out += "\\par Solution:\n";
    if (parts != Parts::questions) out += latex_solution(question);
  }
  return out + "\\end{enumerate}\n\\end{document}\n";
}

} // namespace perfmodel::cli
