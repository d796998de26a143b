#include "trace.hpp"

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

} // namespace perfmodel
