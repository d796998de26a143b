// A YAML map read strictly: yaml-cpp takes duplicate keys silently and reports a missing key without its
// place, so every key is asked for by name, and what nobody asked for is an error with file, line and a
// suggestion.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <yaml-cpp/yaml.h>

namespace perfmodel::hwdb {

// The root of a document. Throws InputError for YAML that does not parse.
YAML::Node parse_yaml(const std::string& text, const std::string& file);

class YamlMap {
public:
  // Throws InputError when `node` is no map or has a key twice. `what` names it in messages: "fact 'clock'".
  // `key_line` is where its key stands, if that is known: a value that was left out stands nowhere.
  YamlMap(const YAML::Node& node, std::string file, std::string what, int key_line = 0);

  YamlMap(const YamlMap&) = delete;
  YamlMap& operator=(const YamlMap&) = delete;

  // nullptr when the map has no such key.
  const YAML::Node* find(std::string_view key);
  // Throws InputError when it is missing.
  const YAML::Node& at(std::string_view key);
  std::string text(std::string_view key);                       // a required scalar
  std::string text_or(std::string_view key, std::string other); // an optional one
  // A scalar, or a list of scalars.
  std::vector<std::string> texts(std::string_view key);

  // Throws InputError when a key was never asked for.
  void finish() const;

  struct Entry {
    std::string key;
    YAML::Node value;
    int line;
    bool used = false;
  };
  const std::vector<Entry>& entries() const { return entries_; }

  // "m2090.yaml:12: MESSAGE" as an InputError.
  [[noreturn]] void refuse(int line, const std::string& message) const;
  [[noreturn]] void refuse(const YAML::Node& node, const std::string& message) const;
  int line_of(std::string_view key) const;

private:
  std::string file_, what_;
  int line_;
  std::vector<Entry> entries_;
  std::unordered_map<std::string_view, std::size_t> index_; // of the keys of entries_, which do not move
  std::vector<std::string> asked_;
};

} // namespace perfmodel::hwdb
