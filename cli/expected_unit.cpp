#include "expected_unit.hpp"

#include "models/core/quantity_text.hpp"

#include <string_view>

namespace perfmodel::cli {

namespace {

// "; bytes such as 64KiB is expected": the words that are said of a unit which is known and does not fit.
std::string expected(const Unit& unit) {
  const char* of_another = unit.dimension == dimension_of<Seconds> ? "1B" : "1s";
  try {
    parse_quantity_as(of_another, unit);
  } catch (const InputError& e) {
    const std::string what = e.what();
    if (const std::size_t at = what.find("; "); at != std::string::npos) return what.substr(at);
  }
  return "";
}

} // namespace

std::string with_expected_unit(const std::string& sentence, const Unit& unit) {
  constexpr std::string_view example = " with a unit, such as '177 GB/s'", number = ": a number";
  const std::string wanted = expected(unit);
  if (wanted.empty() || sentence.find("; ") != std::string::npos) return sentence;
  if (const std::size_t at = sentence.find(example); at != std::string::npos) {
    const std::string said = sentence.substr(0, at);
    return (said.ends_with(number) ? said.substr(0, said.size() - number.size()) : said) + wanted;
  }
  return sentence.find("has an unknown unit") == std::string::npos ? sentence : sentence + wanted;
}

} // namespace perfmodel::cli
