#include "fact.hpp"

#include <algorithm>

namespace perfmodel {

const KeyInfo* find_key(std::string_view path) {
  const auto keys = all_keys();
  const auto at = std::find_if(keys.begin(), keys.end(), [&](const KeyInfo& k) { return k.path == path; });
  return at == keys.end() ? nullptr : &*at;
}

} // namespace perfmodel
