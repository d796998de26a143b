#include "sheet.hpp"

#include "models/core/quantity_text.hpp"

namespace perfmodel::cli {

namespace {

std::string value_text(const Step& step) {
  if (!step.text.empty()) return step.text;
  const Unit unit = counts_integers(step.symbol) ? as_operations(step.unit) : step.unit;
  const std::string text = format_quantity(step.value, unit);
  // Lectures mix 108.9 kB and 106.4 KiB.
  if (step.unit.symbol == "B" && step.value >= 1024)
    return text + " (" + format_quantity(step.value, unit, Prefix::binary) + ")";
  return text;
}

} // namespace

GivenLine given_line(const Step& step) {
  std::string meaning = step.meaning == "not given" ? "" : step.meaning;
  if (step.grade == Grade::assumed) meaning += meaning.empty() ? "assumed" : "; assumed";
  if (step.grade == Grade::inherited) meaning += meaning.empty() ? "inherited" : "; of another GPU, scaled";
  return {step.symbol + " = " + value_text(step), meaning};
}

SolutionLine solution_line(const Step& step) {
  SolutionLine line{.symbol = step.symbol, .value = value_text(step)};
  if (step.meaning != "given") line.meaning = step.meaning;
  if (step.formula.empty()) return line;
  const std::string plain = format_quantity(step.value, step.unit);
  if (step.formula != plain) line.formula = step.formula;
  if (step.numbers != plain && step.numbers != step.formula) line.numbers = step.numbers;
  return line;
}

} // namespace perfmodel::cli
