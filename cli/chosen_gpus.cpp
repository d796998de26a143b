#include "chosen_gpus.hpp"

#include "expected_unit.hpp"
#include "plausible.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace perfmodel::cli {

namespace {

// Longer ones first, so that ">=" is not taken for ">". "==" is "=".
constexpr std::array<std::string_view, 6> comparisons{">=", "<=", "==", "=", ">", "<"};

struct Condition {
  std::string fact; // a path, "cc" or "maker"
  std::string_view comparison;
  double value = 0;
  std::string text; // of a fact that is a word
  const KeyInfo* key = nullptr;
};

std::string trimmed(std::string text) {
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

double capability(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end != text.c_str() && *end == '\0' ? value : absent;
}

std::string in_small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// "nvidia" of "NVIDIA H200".
std::string maker_of(const Gpu& gpu) { return in_small_letters(gpu.title.substr(0, gpu.title.find(' '))); }

// What is wrong with a condition, after its own words: it may stand in --hw or be `hw list`'s own.
InputError wrong(const std::string& condition, const std::string& why) {
  return InputError(fmt::format("'{}': {}", trimmed(condition).substr(0, 60), why));
}

Condition condition_of(const std::string& text) {
  for (const std::string_view comparison : comparisons) {
    const std::size_t at = text.find(comparison);
    if (at == std::string::npos) continue;
    Condition made{.fact = trimmed(text.substr(0, at)),
                   .comparison = comparison == "==" ? "=" : comparison,
                   .text = trimmed(text.substr(at + comparison.size()))};
    if (made.fact == "cc") {
      made.value = capability(made.text);
      if (std::isnan(made.value))
        throw wrong(text, fmt::format("a compute capability such as 9.0 is expected, not '{}'",
                                      made.text.substr(0, 40)));
      return made;
    }
    if (made.fact == "vendor") made.fact = "maker";
    if (made.fact == "maker") {
      if (made.comparison != "=") throw wrong(text, "the maker is a word, which is compared by '='");
      made.text = in_small_letters(made.text);
      return made;
    }
    if (made.fact == "memory") // how much, or of which kind
      made.fact = !made.text.empty() && std::isdigit(static_cast<unsigned char>(made.text.front())) != 0
                      ? facts::dram_size.path
                      : facts::dram_type.path;
    made.key = find_key(made.fact);
    if (made.key == nullptr) {
      std::vector<std::string> known{"cc", "maker", "memory"};
      for (const KeyInfo& key : all_keys()) known.emplace_back(key.path);
      throw wrong(text, fmt::format("unknown fact '{}'{}; 'perfmodel hw keys' lists all",
                                    made.fact.substr(0, 60), suggestion(made.fact, known)));
    }
    if (made.key->kind == FactKind::list) throw wrong(text, "this fact is a list, which is not compared");
    if (made.key->kind == FactKind::number) {
      const Unit unit{base_symbol(made.key->dimension), made.key->dimension};
      try {
        made.value = in_unit(unit, [&] { return parse_quantity_as(made.text, unit); });
      } catch (const InputError& e) {
        throw wrong(text, e.what());
      }
      if (!unit.symbol.empty() && made.value != 0 &&
          !plausible(*made.key, made.value)) // such as memory>=80, which are bytes
        throw wrong(text,
                    fmt::format("{} is far outside {} to {}: is a unit or prefix missing?",
                                format_quantity(made.value, unit), format_quantity(made.key->least, unit),
                                format_quantity(made.key->most, unit)));
    } else if (made.comparison != "=") {
      throw wrong(text, "this fact is a word, which is compared by '='");
    }
    return made;
  }
  throw InputError(fmt::format(
      "'{}' compares nothing; such as cc>=8.0, year>=2016 or memory>=40GiB is expected", text.substr(0, 60)));
}

bool holds(const Condition& condition, const Gpu& gpu) {
  if (condition.fact == "maker") return maker_of(gpu) == condition.text;
  double value = absent;
  if (condition.fact == "cc") {
    value = capability(gpu.architecture);
  } else {
    const FactRecord* fact = gpu.record(condition.fact);
    if (fact == nullptr) return false;
    if (condition.key->kind != FactKind::number) return fact->text == condition.text;
    value = fact->values.front();
  }
  if (condition.comparison == "=") return value == condition.value;
  if (condition.comparison == ">=") return value >= condition.value;
  if (condition.comparison == "<=") return value <= condition.value;
  return condition.comparison == ">" ? value > condition.value : value < condition.value;
}

} // namespace

bool is_choice(const std::string& word) {
  const std::size_t comparison = word.find_first_of("<>=");
  const bool is_file = word.find('/') < comparison; // units have one behind it
  return word == "all" || (comparison != std::string::npos && !is_file);
}

bool has_choice(const std::string& words) {
  for (std::size_t begin = 0; begin <= words.size();) {
    const std::size_t end = std::min(words.find(',', begin), words.size());
    if (is_choice(words.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

std::vector<std::string> chosen_gpus(Context& context, const std::string& word) {
  std::vector<Condition> conditions;
  for (std::size_t begin = 0; word != "all" && begin <= word.size();) {
    const std::size_t end = std::min(word.find('&', begin), word.size());
    conditions.push_back(condition_of(word.substr(begin, end - begin)));
    begin = word.compare(end, 2, "&&") == 0 ? end + 2 : end + 1;
  }
  std::vector<std::string> names;
  for (const std::string& name : context.database().names()) {
    const Gpu gpu = context.database().gpu(name);
    if (std::all_of(conditions.begin(), conditions.end(), [&](const Condition& c) { return holds(c, gpu); }))
      names.push_back(name);
  }
  if (names.empty()) throw InputError(fmt::format("no GPU is such that '{}'", word.substr(0, 60)));
  return names;
}

} // namespace perfmodel::cli
