#include "given_numbers.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp" // trimmed

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace perfmodel {

GivenNumbers GivenNumbers::from_text(std::string_view text) {
  GivenNumbers given;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string_view word = trimmed(text.substr(at, comma - at));
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size())
      throw InputError(
          fmt::format("'{}' is no whole number of 32 bits; such as 10,1,8,-1 is expected", shortened(word)));
    given.values.push_back(number);
    at = comma + 1;
  }
  return given;
}

std::string GivenNumbers::text() const { return fmt::format("{}", fmt::join(values, ",")); }

} // namespace perfmodel
