#include "fact.hpp"

#include <unordered_map>

namespace perfmodel {

const KeyInfo* find_key(std::string_view path) {
  static const auto by_path = [] {
    std::unordered_map<std::string_view, const KeyInfo*> keys;
    for (const KeyInfo& key : all_keys()) keys.emplace(key.path, &key);
    return keys;
  }();
  const auto at = by_path.find(path);
  return at == by_path.end() ? nullptr : at->second;
}

} // namespace perfmodel
