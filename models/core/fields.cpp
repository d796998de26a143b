#include "fields.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::detail {

void set_default(Option& option, std::string text) {
  option.default_text = std::move(text);
  // As it may be typed: 16777216, where a table groups the digits.
  if (option.kind == OptionKind::number && option.unit.symbol.empty()) std::erase(option.default_text, ' ');
}

std::size_t choice_of(std::span<const std::string_view> choices, std::string_view word,
                      std::string_view name) {
  const auto at = std::find(choices.begin(), choices.end(), word);
  if (at == choices.end()) throw InputError(fmt::format("--{}: unknown value '{}'", name, word));
  return static_cast<std::size_t>(at - choices.begin());
}

std::int64_t count_of(double number, std::string_view name) {
  if (!(number >= 0 && number <= 9e18)) throw InputError(fmt::format("--{}: too large a count", name));
  return static_cast<std::int64_t>(number);
}

void throw_named(const InputError& error, std::string_view name) {
  throw InputError(fmt::format("--{}: {}", name, error.what()));
}

} // namespace perfmodel::detail
