#include "bindings.hpp"

#include "error.hpp"
#include "quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace perfmodel {

namespace {

bool is_name(std::string_view word) {
  const auto letter = [](char c) { return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !word.empty() && letter(word.front()) &&
         std::all_of(word.begin(), word.end(), [&](char c) { return letter(c) || digit(c); });
}

// 2^53: above it a double skips whole numbers, and ranges and prefixes are read as doubles.
constexpr double exact_limit = 9007199254740992;

// "-12" or "0x1f", exactly.
bool take_exact(std::string_view item, std::vector<std::int64_t>& numbers) {
  const bool hex = item.size() > 2 && item[0] == '0' && (item[1] == 'x' || item[1] == 'X');
  if (hex) item.remove_prefix(2);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), number, hex ? 16 : 10);
  if (error != std::errc{} || end != item.data() + item.size() || (hex && number < 0)) return false;
  numbers.push_back(number);
  return true;
}

std::vector<std::int64_t> whole_numbers(std::string_view name, std::string_view text) {
  std::vector<std::int64_t> numbers;
  const auto refuse = [&](std::string_view item) {
    throw InputError(
        fmt::format("{} = {}: a whole number is expected, such as {}=4000", name, quoted(item), name));
  };
  for (std::string_view rest = text;;) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view item = trimmed(rest.substr(0, end));
    if (!take_exact(item, numbers)) {
      if (item.empty() || item.find_first_not_of("0123456789+-.:*eEkKMGTi ") != item.npos) refuse(item);
      for (const double v : parse_quantities(item, Unit{})) { // "4k", "1e6", a range
        if (v != std::floor(v)) refuse(item);
        if (std::fabs(v) > exact_limit)
          throw InputError(fmt::format("{} = {}: a whole number up to 2^53 is expected", name, item));
        numbers.push_back(static_cast<std::int64_t>(v));
      }
    }
    if (end == rest.size()) return numbers;
    rest.remove_prefix(end + 1);
  }
}

} // namespace

std::vector<Bindings> Bindings::sweep(std::string_view text) {
  std::vector<std::pair<std::string, std::string>> given; // "n", "64:256:*2"
  for (std::string_view rest = trimmed(text); !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view item = rest.substr(0, end);
    if (const std::size_t equals = item.find('='); equals != item.npos) {
      const std::string_view name = trimmed(item.substr(0, equals));
      if (!is_name(name))
        throw InputError(fmt::format("{} is no name: NAME=NUMBER is expected, such as n=4000", quoted(name)));
      for (const auto& [known, value] : given)
        if (known == name) throw InputError(fmt::format("{} is given twice", name));
      given.emplace_back(name, item.substr(equals + 1));
    } else if (given.empty()) {
      throw InputError(fmt::format("{}: NAME=NUMBER is expected, such as n=4000", quoted(item)));
    } else {
      given.back().second += "," + std::string(item);
    }
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> names;
  double points = 1;
  for (const auto& [name, values] : given) {
    names.emplace_back(name, whole_numbers(name, values));
    points *= static_cast<double>(names.back().second.size());
  }
  if (points > static_cast<double>(sweep_limit)) throw InputError("the grid has more than 10 million points");
  std::vector<Bindings> all(1);
  for (const auto& [name, values] : names) {
    std::vector<Bindings> longer;
    for (const Bindings& b : all)
      for (const std::int64_t value : values) {
        longer.push_back(b);
        longer.back().values.emplace_back(name, value);
      }
    all = std::move(longer);
  }
  return all;
}

Bindings Bindings::from_text(std::string_view text) {
  std::vector<Bindings> all = sweep(text);
  if (all.size() != 1) throw InputError(fmt::format("{}: one value for each name is expected", quoted(text)));
  return std::move(all.front());
}

std::string Bindings::text() const {
  std::string text;
  for (const auto& [name, value] : values)
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  return text;
}

const std::int64_t* Bindings::find(std::string_view name) const {
  for (const auto& [known, value] : values)
    if (known == name) return &value;
  return nullptr;
}

} // namespace perfmodel
