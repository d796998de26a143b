#include "sheet.hpp"

#include "cli/text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::cli {

namespace {

class Page {
public:
  explicit Page(std::size_t columns) : columns_(columns) {}
  std::string out;

  // `text` in lines that begin below where `lead` ends; where too little room is left there, in lines of its
  // own.
  void add(const std::string& lead, const std::string& text) {
    constexpr std::size_t least_room = 24, indent = 6;
    const bool beside = columns_ >= width_of(lead) + least_room;
    std::string start = lead;
    if (!beside) {
      start.erase(start.find_last_not_of(' ') + 1);
      out += start + "\n";
      start.assign(indent, ' ');
    }
    const std::size_t under = beside ? width_of(lead) : indent;
    for (const std::string& piece : wrapped(text, columns_ - under)) {
      out += start + piece + "\n";
      start.assign(under, ' ');
    }
  }

private:
  std::size_t columns_;
};

void add_given(Page& page, const Question& question) {
  if (question.given.empty()) return;
  page.out += "\ngiven\n";
  std::size_t width = 0;
  for (const Step& step : question.given) width = std::max(width, width_of(given_line(step).fact));
  width = std::min<std::size_t>(width, 44);
  for (const Step& step : question.given) {
    const GivenLine line = given_line(step);
    if (line.meaning.empty())
      page.out += "  " + line.fact + "\n";
    else
      page.add("  " + padded(line.fact, width) + "   ", line.meaning);
  }
}

void add_solution(Page& page, const Question& question) {
  std::size_t width = 0;
  for (const Step& step : question.steps) width = std::max(width, width_of(step.symbol));
  width = std::min<std::size_t>(width, 28);
  for (const Step& step : question.steps) {
    const SolutionLine line = solution_line(step);
    std::string lead = "  " + padded(line.symbol, width) + " = ";
    for (const std::string& text : {line.formula, line.numbers}) {
      if (text.empty()) continue;
      page.add(lead, text);
      lead = "  " + std::string(width, ' ') + " = ";
    }
    page.add(lead, line.meaning.empty() ? line.value : line.value + "   " + line.meaning);
  }
  for (const std::string& sentence : question.because) page.add("  ", sentence);
  page.out += fmt::format("answer: {}\n", answer_text(question));
  page.add("see ", question.command);
}

} // namespace

std::string sheet_text(const Sheet& sheet, Parts parts, std::size_t columns) {
  Page page(columns);
  const bool several = sheet.questions.size() > 1;
  if (several) page.add("", sheet.title);
  int number = 0;
  for (const Question& question : sheet.questions) {
    const std::string lead = several ? fmt::format("{}. ", ++number) : "";
    if (several) page.out += "\n";
    if (parts != Parts::key) {
      page.add(lead, question.text);
      add_given(page, question);
    }
    if (parts == Parts::questions) continue;
    page.out += parts == Parts::both ? "\nsolution\n" : lead + "solution\n";
    add_solution(page, question);
  }
  return page.out;
}

} // namespace perfmodel::cli
