// What a device has for some of the known facts, by path, or by the place that a typed key has in all_keys():
// a sweep looks facts up a million times, and comparing names took up to half of its time.
#pragma once

#include "fact.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace perfmodel {

struct PathHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view path) const { return std::hash<std::string_view>()(path); }
};

// As a map in no order; `indexed` finds what has the place of a known key.
template <class V> class ByPath {
  using Map = std::unordered_map<std::string, V, PathHash, std::equal_to<>>;

public:
  using node_type = typename Map::node_type;
  using iterator = typename Map::iterator;
  using const_iterator = typename Map::const_iterator;

  ByPath() = default;
  ByPath(const ByPath& other) : map_(other.map_) { // its places point into the other map
    for (auto& [path, value] : map_) place(path, &value);
  }
  ByPath(ByPath&&) noexcept = default;
  ByPath& operator=(ByPath other) noexcept {
    map_.swap(other.map_);
    places_.swap(other.places_);
    return *this;
  }
  ~ByPath() = default;

  const V* indexed(int index) const {
    const auto i = static_cast<std::size_t>(index);
    return i < places_.size() ? places_[i] : nullptr;
  }

  iterator begin() { return map_.begin(); }
  iterator end() { return map_.end(); }
  const_iterator begin() const { return map_.begin(); }
  const_iterator end() const { return map_.end(); }
  bool empty() const { return map_.empty(); }
  std::size_t size() const { return map_.size(); }
  std::size_t count(std::string_view path) const { return map_.count(path); }
  iterator find(std::string_view path) { return map_.find(path); }
  const_iterator find(std::string_view path) const { return map_.find(path); }
  const V& at(std::string_view path) const { return map_.at(std::string(path)); }

  V& operator[](std::string_view path) { return try_emplace(path).first->second; }
  template <class... Args> std::pair<iterator, bool> try_emplace(std::string_view path, Args&&... args) {
    const auto added = map_.try_emplace(std::string(path), std::forward<Args>(args)...);
    if (added.second) place(path, &added.first->second);
    return added;
  }
  void erase(iterator at) {
    place(at->first, nullptr);
    map_.erase(at);
  }
  void erase(std::string_view path) {
    if (const auto at = map_.find(path); at != map_.end()) erase(at);
  }
  void clear() {
    map_.clear();
    places_.clear();
  }
  // Takes an element out, or puts one back that was taken out; an empty node is nothing.
  node_type extract(std::string_view path) {
    place(path, nullptr);
    return map_.extract(std::string(path));
  }
  void insert(node_type&& node) {
    if (node.empty()) return;
    const auto added = map_.insert(std::move(node));
    place(added.position->first, &added.position->second);
  }

private:
  // Elements stay where they are while others come and go.
  void place(std::string_view path, const V* value) {
    const KeyInfo* key = find_key(path);
    if (key == nullptr) return;
    const auto keys = all_keys();
    if (places_.size() < keys.size()) places_.resize(keys.size(), nullptr);
    places_[static_cast<std::size_t>(key - keys.data())] = value;
  }

  Map map_;
  std::vector<const V*> places_;
};

} // namespace perfmodel
