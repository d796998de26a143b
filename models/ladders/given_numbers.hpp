// Numbers to reduce that somebody gives: "10,1,8,-1".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

struct GivenNumbers {
  std::vector<std::int64_t> values;
  // Throws InputError: no whole number, or none that an int32 holds.
  static GivenNumbers from_text(std::string_view text);
  std::string text() const;
};

} // namespace perfmodel
