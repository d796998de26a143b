#include "profile_unit.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace perfmodel::hwdb {

namespace {

std::string_view base_of(std::string_view word) {
  using Spelling = std::pair<std::string_view, std::string_view>;
  static constexpr auto spellings = std::to_array<Spelling>({{"second", "second"},
                                                             {"s", "second"},
                                                             {"sec", "second"},
                                                             {"byte", "byte"},
                                                             {"B", "byte"},
                                                             {"hz", "hz"},
                                                             {"Hz", "hz"},
                                                             {"inst", "inst"},
                                                             {"sector", "sector"},
                                                             {"request", "request"},
                                                             {"cycle", "cycle"},
                                                             {"warp", "warp"},
                                                             {"thread", "thread"},
                                                             {"block", "block"}});
  const auto at =
      std::find_if(spellings.begin(), spellings.end(), [&](const Spelling& s) { return s.first == word; });
  return at == spellings.end() ? std::string_view() : at->second;
}

double prefix_of(char letter) {
  switch (letter) {
  case 'p':
    return 1e-12;
  case 'n':
    return 1e-9;
  case 'u':
    return 1e-6;
  case 'm':
    return 1e-3;
  case 'k':
  case 'K':
    return 1e3;
  case 'M':
    return 1e6;
  case 'G':
    return 1e9;
  case 'T':
    return 1e12;
  case 'P':
    return 1e15;
  default:
    return 0;
  }
}

ProfileUnit part(std::string_view word) {
  if (const std::string_view base = base_of(word); !base.empty()) return {1, std::string(base)};
  if (word.substr(0, 2) == "\xC2\xB5") // the micro sign
    if (const std::string_view base = base_of(word.substr(2)); !base.empty())
      return {1e-6, std::string(base)};
  if (word.size() > 1 && prefix_of(word.front()) > 0)
    if (const std::string_view base = base_of(word.substr(1)); !base.empty())
      return {prefix_of(word.front()), std::string(base)};
  return {1, std::string(word)};
}

} // namespace

ProfileUnit profile_unit(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return part(text);
  const ProfileUnit above = part(text.substr(0, slash)), below = part(text.substr(slash + 1));
  return {above.factor / below.factor, above.base + "/" + below.base};
}

} // namespace perfmodel::hwdb
