#include "trace.hpp"

#include "quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

namespace {

bool in_a_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// Where the symbol stands in the formula, not as part of a longer name.
std::size_t place_of(const std::string& symbol, const std::string& formula) {
  for (std::size_t at = formula.find(symbol); at != std::string::npos; at = formula.find(symbol, at + 1)) {
    const std::size_t end = at + symbol.size();
    if ((at == 0 || !in_a_name(formula[at - 1])) && (end == formula.size() || !in_a_name(formula[end])))
      return at;
  }
  return std::string::npos;
}

} // namespace

TermText Recorder::number_text(double value, const Unit& unit) {
  const std::string text = format_quantity(value, unit);
  return {text, text, 0};
}

TermText Recorder::add_fact(std::string_view symbol, std::string_view meaning, double value, Unit unit,
                            const FactRecord& record) {
  return atom({.symbol = std::string(symbol),
               .meaning = std::string(meaning),
               .value = value,
               .unit = std::move(unit),
               .is_fact = true,
               .is_fitted = record.status == Status::fitted && record.layer != Layer::set,
               .status = record.status,
               .layer = record.layer,
               .source = record.source,
               .place = record.place,
               .probe = record.probe});
}

TermText Recorder::add_estimate(std::string_view symbol, std::string_view meaning, const Gpu::Cost& cost,
                                Unit unit) {
  return atom({.symbol = std::string(symbol),
               .meaning = std::string(meaning),
               .value = cost.value,
               .unit = std::move(unit),
               .is_fact = true,
               .grade = cost.grade,
               .low = cost.low,
               .high = cost.high,
               .source = cost.estimate->from});
}

TermText Recorder::add_assumption(std::string_view symbol, std::string_view option, double value, double low,
                                  double high, Unit unit, std::string_view why) {
  return atom({.symbol = std::string(symbol),
               .meaning = "not given",
               .value = value,
               .unit = std::move(unit),
               .is_fact = true,
               .grade = Grade::assumed,
               .low = low,
               .high = high,
               .source = std::string(why),
               .place = "--" + std::string(option)});
}

TermText Recorder::add_input(std::string_view symbol, double value, Unit unit) {
  return atom({.symbol = std::string(symbol),
               .meaning = "given",
               .value = value,
               .unit = std::move(unit),
               .source = "given"});
}

TermText Recorder::add_definition(std::string_view symbol, std::string_view meaning, const TermText& text,
                                  double value, Unit unit) {
  order_operands(text.formula);
  return atom({.symbol = std::string(symbol),
               .meaning = std::string(meaning),
               .formula = text.formula,
               .numbers = text.numbers,
               .value = value,
               .unit = std::move(unit)});
}

void Recorder::fitted(std::string_view symbol, std::string_view meaning, double value, std::string_view by) {
  derivation.steps.push_back({.symbol = std::string(symbol),
                              .meaning = std::string(meaning),
                              .value = value,
                              .is_fitted = true,
                              .source = std::string(by)});
}

void Recorder::say(std::string_view symbol, std::string_view meaning, std::string_view text) {
  derivation.steps.push_back(
      {.symbol = std::string(symbol), .meaning = std::string(meaning), .text = std::string(text)});
}

TermText Recorder::atom(Step step) {
  TermText text{step.symbol, format_quantity(step.value, step.unit), 0};
  const bool seen = std::any_of(derivation.steps.begin(), derivation.steps.end(), [&](const Step& s) {
    return s.symbol == step.symbol && s.value == step.value;
  });
  if (!seen) derivation.steps.push_back(std::move(step));
  return text;
}

void Recorder::order_operands(const std::string& formula) {
  std::vector<Step>& steps = derivation.steps;
  std::size_t first = steps.size();
  while (first > 0 && steps[first - 1].formula.empty() && steps[first - 1].text.empty()) --first;
  std::vector<std::size_t> slots;
  std::vector<std::pair<std::size_t, Step>> operands;
  for (std::size_t i = first; i < steps.size(); ++i)
    if (const std::size_t place = place_of(steps[i].symbol, formula); place != std::string::npos) {
      slots.push_back(i);
      operands.emplace_back(place, steps[i]);
    }
  std::sort(operands.begin(), operands.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < slots.size(); ++i) steps[slots[i]] = std::move(operands[i].second);
}

namespace detail {

namespace {
std::string wrap(const std::string& text, bool parentheses) { return parentheses ? "(" + text + ")" : text; }
} // namespace

TermText join(const TermText& a, const TermText& b, const char* sign, int rank, bool wrap_right) {
  const bool left = a.rank > rank, right = b.rank > rank || (wrap_right && b.rank == rank);
  return {wrap(a.formula, left) + sign + wrap(b.formula, right),
          wrap(a.numbers, left) + sign + wrap(b.numbers, right), rank};
}

TermText call(const char* name, const TermText& a) {
  return {fmt::format("{}({})", name, a.formula), fmt::format("{}({})", name, a.numbers), 0};
}

TermText call(const char* name, const TermText& a, const TermText& b) {
  return {fmt::format("{}({}, {})", name, a.formula, b.formula),
          fmt::format("{}({}, {})", name, a.numbers, b.numbers), 0};
}

} // namespace detail
} // namespace perfmodel
