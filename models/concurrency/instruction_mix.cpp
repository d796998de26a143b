#include "instruction_mix.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

constexpr double most_of_class = 1e9; // more would not be a loop's body

double count_of(std::string_view option, std::string_view part, std::string_view text) {
  double count = absent;
  try {
    count = parse_quantity_as(text, {});
  } catch (const InputError&) {
  }
  if (!(count > 0 && count <= most_of_class && count == std::floor(count)))
    throw InputError(fmt::format(
        "{}: '{}': a whole number of instructions above zero is expected after the colon", option, part));
  return count;
}

} // namespace

std::vector<MixPart> parse_mix(std::string_view option, std::string_view text) {
  if (trimmed(text) == "none")
    throw InputError(
        fmt::format("{}: a mix without instructions takes no time; write one as ffma:8,iadd:4", option));
  std::vector<MixPart> mix;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = trimmed(rest.substr(0, comma));
    const std::size_t colon = part.find(':');
    const std::string_view name = trimmed(part.substr(0, colon));
    if (name.empty())
      throw InputError(fmt::format("{}: an instruction class is missing in '{}'; write it as ffma:8,iadd:4",
                                   option, text));
    MixPart found;
    try {
      found.instruction = &instruction_class(name);
    } catch (const InputError& e) {
      throw InputError(fmt::format("{}: {}", option, e.what()));
    }
    found.count = colon == part.npos ? 1 : count_of(option, part, trimmed(part.substr(colon + 1)));
    if (std::any_of(mix.begin(), mix.end(),
                    [&](const MixPart& p) { return p.instruction == found.instruction; }))
      throw InputError(fmt::format("{}: '{}' stands twice", option, name));
    mix.push_back(found);
    if (comma == rest.npos) return mix;
    rest.remove_prefix(comma + 1);
  }
}

} // namespace perfmodel
