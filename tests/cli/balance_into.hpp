// An answer that goes into a file.
#pragma once

#include "program.hpp"

#include <string>
#include <vector>

namespace perfmodel {

inline Answer balance_into(const std::string& file, std::vector<std::string> more = {}) {
  std::vector<std::string> all{"balance", "--hw", "m2090", "-o", file};
  all.insert(all.end(), more.begin(), more.end());
  return perfmodel(all);
}

} // namespace perfmodel
