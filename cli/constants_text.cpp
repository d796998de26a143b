#include "constants_text.hpp"

#include "text_lines.hpp"

#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace perfmodel::cli {

namespace {

constexpr std::size_t in_a_sentence = 4;

std::string opening(std::size_t count) {
  return fmt::format("Rests on {} constant{}:", count, count == 1 ? "" : "s");
}

std::string origin(const Step& constant) {
  if (constant.grade != Grade::known && !constant.place.empty()) // an option that was not given
    return fmt::format("{}, {} gives it", name_of(constant.grade), constant.place);
  if (constant.grade != Grade::known) return fmt::format("{}, hw costs says why", name_of(constant.grade));
  if (constant.is_fitted) return "fitted, " + constant.source;
  return constant.probe.empty() ? constant.place : "probe " + constant.probe + ", " + constant.place;
}

std::string value(const Step& constant) {
  return format_quantity(constant.value,
                         counts_integers(constant.symbol) ? as_operations(constant.unit) : constant.unit);
}

std::string lines(const std::string& text, std::size_t columns) {
  std::string out;
  for (const std::string& line : wrapped(text, columns)) out += line + "\n";
  return out;
}

// Name and value, as many beside one another as there is room for, each column read downwards.
std::string grid(const std::vector<const Step*>& constants, std::size_t columns) {
  constexpr std::size_t indent = 4, gap = 3;
  std::size_t name = 0, number = 0;
  for (const Step* c : constants) {
    name = std::max(name, width_of(c->symbol));
    number = std::max(number, width_of(value(*c)));
  }
  const std::size_t cell = name + 1 + number + gap;
  const std::size_t across = std::max<std::size_t>(1, (columns - indent + gap) / cell);
  const std::size_t height = (constants.size() + across - 1) / across;
  std::string out;
  for (std::size_t row = 0; row < height; ++row) {
    std::string line(indent, ' ');
    for (std::size_t i = row; i < constants.size(); i += height)
      line += padded(padded(constants[i]->symbol, name) + " " + value(*constants[i]), cell);
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

// Each with its value and origin.
std::string sentence(const std::vector<Step>& constants) {
  std::string text = opening(constants.size()) + " ";
  for (const Step& c : constants)
    text += fmt::format("{}{} {} ({})", &c == &constants.front() ? "" : "; ", c.symbol, value(c), origin(c));
  return text + ".";
}

// The list of all, under each probe and file.
std::string listed(const Result& result, std::size_t columns) {
  std::vector<std::pair<std::string, std::vector<const Step*>>> groups; // in the order of their first use
  for (const Step& c : result.constants) {
    const std::string from = origin(c);
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.first == from; });
    if (group == groups.end()) group = groups.insert(groups.end(), {from, {}});
    group->second.push_back(&c);
  }
  std::string out = opening(result.constants.size()) + "\n";
  for (const auto& [from, constants] : groups) {
    const bool one = constants.size() == 1;
    const std::string head =
        from + ":" + (one ? " " + constants[0]->symbol + " " + value(*constants[0]) : "");
    for (const std::string& line : wrapped(head, columns - 2)) out += "  " + line + "\n";
    if (!one) out += grid(constants, columns);
  }
  return out;
}

// Where constants of one kind come from, in a word or two: "measured on NVIDIA H200", "assumed".
std::string kind(const Step& constant) {
  if (constant.grade != Grade::known) return std::string(name_of(constant.grade));
  if (constant.is_fitted) return "fitted";
  if (constant.probe.empty()) return std::string(name_of(constant.status));
  const std::size_t on = constant.source.find(" on ");
  return "measured" +
         (on == std::string::npos ? "" : constant.source.substr(on, constant.source.find(',', on) - on));
}

// How many of each kind; those that nobody measured on this GPU first, and by name.
std::string counted(const std::vector<Step>& constants) {
  constexpr std::size_t most_names = 4;
  std::vector<std::pair<std::string, std::vector<const Step*>>> kinds;
  for (const bool known : {false, true})
    for (const Step& c : constants) {
      if ((c.grade == Grade::known) != known) continue;
      const std::string word = kind(c);
      auto at = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == word; });
      if (at == kinds.end()) at = kinds.insert(kinds.end(), {word, {}});
      at->second.push_back(&c);
    }
  std::string text = opening(constants.size()) + " ";
  for (const auto& [word, of] : kinds) {
    text += fmt::format("{}{} {}", word == kinds.front().first ? "" : ", ", of.size(), word);
    if (of.front()->grade == Grade::known) continue;
    std::string names;
    for (std::size_t i = 0; i < std::min(of.size(), most_names); ++i)
      names += (i == 0 ? "" : ", ") + of[i]->symbol + (of[i]->place.empty() ? "" : " of " + of[i]->place);
    if (of.size() > most_names) names += fmt::format(" and {} more", of.size() - most_names);
    text += " (" + names + ")";
  }
  return text + "; --explain lists them.";
}

} // namespace

std::string constants_text(const Result& result, std::size_t columns) {
  const bool two_results = result.model == "compare";               // each has said what it rests on
  const bool list = result.model.empty() || result.model == "rank"; // of many GPUs
  if (result.kind == Kind::measured || list || two_results) return "";
  if (result.constants.empty() && result.kind == Kind::comparison) return ""; // a ledger alone
  const bool explained = !result.derivations.empty() || result.kind == Kind::comparison;
  if (result.constants.empty())
    return lines(fmt::format("Rests on no fitted or assumed constants{}.",
                             explained ? "" : "; --explain shows on what"),
                 columns);
  const std::string all = sentence(result.constants);
  if (!explained && (result.constants.size() > in_a_sentence || width_of(all) > columns))
    return lines(counted(result.constants), columns);
  return result.constants.size() <= in_a_sentence ? lines(all, columns) : listed(result, columns);
}

} // namespace perfmodel::cli
