// Units as Nsight Compute spells them.
#pragma once

#include <string>
#include <string_view>

namespace perfmodel::hwdb {

struct ProfileUnit {
  double factor = 1; // times it, a number is in `base`
  std::string base;  // "second", "byte/second", "inst", "%"; of a unit that is not known its own text
};

// "usecond", "us", "Kbyte", "Gbyte/s", "cycle/nsecond", "Mhz": decimal prefixes, a Kbyte is 1000 bytes.
ProfileUnit profile_unit(std::string_view text);

} // namespace perfmodel::hwdb
