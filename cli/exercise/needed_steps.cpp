#include "needed_steps.hpp"

#include <algorithm>
#include <cctype>
#include <string>

namespace perfmodel::cli {

namespace {

bool in_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

// Blanks out every place where `symbol` stands in the formula as a name of its own; whether there is one.
// "n" is no part of "n(in)", nor "T" of "T(ring)".
bool take_out(std::string& formula, const std::string& symbol) {
  bool found = false;
  for (std::size_t at = formula.find(symbol); at != std::string::npos;
       at = formula.find(symbol, at + symbol.size())) {
    const std::size_t end = at + symbol.size();
    const bool starts = at == 0 || !in_a_name(formula[at - 1]);
    const bool ends = end == formula.size() || (!in_a_name(formula[end]) && formula[end] != '(');
    if (!starts || !ends) continue;
    formula.replace(at, symbol.size(), symbol.size(), ' ');
    found = true;
  }
  return found;
}

} // namespace

std::vector<Step> needed_steps(const Derivation& derivation, std::string_view symbol) {
  const std::vector<Step>& steps = derivation.steps;
  const auto asked =
      std::find_if(steps.rbegin(), steps.rend(), [&](const Step& s) { return s.symbol == symbol; });
  if (asked == steps.rend()) return {};
  const std::size_t last = static_cast<std::size_t>(steps.rend() - asked) - 1;
  std::vector<bool> needed(last + 1, false);
  needed[last] = true;
  for (std::size_t at = last + 1; at-- > 0;) {
    if (!needed[at]) continue;
    // The longest name first: "B(fp64, spec)" before "B".
    std::vector<std::size_t> before(at);
    for (std::size_t i = 0; i < at; ++i) before[i] = at - 1 - i;
    std::stable_sort(before.begin(), before.end(), [&](std::size_t a, std::size_t b) {
      return steps[a].symbol.size() > steps[b].symbol.size();
    });
    std::string formula = steps[at].formula;
    for (const std::size_t i : before)
      if (take_out(formula, steps[i].symbol)) needed[i] = true;
  }
  std::vector<Step> kept;
  for (std::size_t i = 0; i <= last; ++i)
    if (needed[i]) kept.push_back(steps[i]);
  return kept;
}

} // namespace perfmodel::cli
