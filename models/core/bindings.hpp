// Names that the user gives to whole numbers, for expressions: --let n=4000,m=3.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfmodel {

struct Bindings {
  std::vector<std::pair<std::string, std::int64_t>> values; // in the order given, no name twice

  // "n=4000,m=3" or "". Throws InputError: no name, a name twice, no whole number.
  static Bindings from_text(std::string_view text);
  // The same where a name may have several values, "n=64:256:*2,m=1,2": every combination, the first name
  // varying slowest.
  static std::vector<Bindings> sweep(std::string_view text);
  std::string text() const; // reads back as the same

  const std::int64_t* find(std::string_view name) const; // nullptr: not bound
  friend bool operator==(const Bindings&, const Bindings&) = default;
};

} // namespace perfmodel
