#include "fact_file.hpp"

#include "yaml_map.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace perfmodel::hwdb {

namespace {

Status parse_status(YamlMap& map, const std::string& text) {
  for (std::size_t i = 0; i < std::size(status_names); ++i)
    if (status_names[i] == text) return static_cast<Status>(i);
  const std::vector<std::string> all(std::begin(status_names), std::end(status_names));
  map.refuse(map.line_of("status"), fmt::format("unknown status '{}'{}; one of {} is expected", text,
                                                suggestion(text, all), fmt::join(all, ", ")));
}

std::string parse_source(YamlMap& map, const Sources& sources) {
  std::string full;
  for (const std::string& key : map.texts("source")) {
    const auto at = sources.find(key);
    if (at == sources.end()) {
      std::vector<std::string> known;
      for (const auto& [name, text] : sources) known.push_back(name);
      map.refuse(map.line_of("source"),
                 fmt::format("unknown source {}{}", perfmodel::quoted(key), suggestion(key, known)));
    }
    full += (full.empty() ? "" : "; ") + at->second;
  }
  if (full.empty()) map.refuse(map.line_of("source"), "a value without a source");
  return full;
}

double parse_value(const YamlMap& map, int line, const KeyInfo& key, const std::string& text) {
  const Unit unit{base_symbol(key.dimension), key.dimension};
  double value = 0;
  try {
    value = parse_quantity_as(text, unit);
  } catch (const InputError& e) {
    map.refuse(line, fmt::format("'{}': {}", key.path, e.what()));
  }
  if (!(value >= key.least && value <= key.most))
    map.refuse(line, fmt::format("'{}': {} is outside {} to {}: is a prefix wrong?", key.path,
                                 format_quantity(value, unit), format_quantity(key.least, unit),
                                 format_quantity(key.most, unit)));
  if (key.dimension == Dimension{} && value != std::floor(value))
    map.refuse(line, fmt::format("'{}': {} is no whole number", key.path, value));
  return value;
}

Rival parse_rival(const YAML::Node& node, const std::string& file, const KeyInfo& key,
                  const Sources& sources) {
  YamlMap map(node, file, fmt::format("rival of '{}'", key.path));
  Rival rival;
  const int line = node.Mark().line + 1;
  if (map.find("value") != nullptr) {
    rival.low = rival.high = parse_value(map, line, key, map.text("value"));
  } else {
    rival.low = parse_value(map, line, key, map.text("from"));
    rival.high = parse_value(map, line, key, map.text("to"));
    if (rival.low > rival.high) map.refuse(line, fmt::format("rival of '{}' ends below its start", key.path));
  }
  rival.status = parse_status(map, map.text("status"));
  rival.source = parse_source(map, sources);
  rival.note = map.text_or("note", "");
  map.finish();
  return rival;
}

FactRecord parse_fact(const YamlMap::Entry& entry, const std::string& file, const KeyInfo& key, Layer layer,
                      const Sources& sources) {
  YamlMap map(entry.value, file, fmt::format("fact '{}'", key.path), entry.line);
  FactRecord fact{.layer = layer, .place = fmt::format("{}:{}", file, entry.line)};
  if (key.kind == FactKind::text) {
    fact.text = map.text("value");
  } else {
    const std::vector<std::string> texts = map.texts("value");
    if (texts.empty() || (key.kind == FactKind::number && texts.size() != 1))
      map.refuse(entry.line,
                 fmt::format("'{}' takes {}", key.path, texts.empty() ? "at least one value" : "one value"));
    for (const std::string& text : texts) fact.values.push_back(parse_value(map, entry.line, key, text));
  }
  fact.status = parse_status(map, map.text("status"));
  fact.source = parse_source(map, sources);
  fact.note = map.text_or("note", "");
  fact.clock = map.text_or("clock", "");
  if (const YAML::Node* also = map.find("also")) {
    if (!also->IsSequence()) map.refuse(*also, fmt::format("'also' of '{}' is not a list", key.path));
    if (key.kind != FactKind::number)
      map.refuse(*also, fmt::format("'{}' is no single number and has no rivals", key.path));
    for (const YAML::Node& node : *also) fact.rivals.push_back(parse_rival(node, file, key, sources));
  }
  map.finish();
  return fact;
}

const KeyInfo& known_key(const YamlMap& map, const YamlMap::Entry& entry) {
  if (const KeyInfo* key = find_key(entry.key)) return *key;
  std::vector<std::string> all;
  for (const KeyInfo& k : all_keys()) all.emplace_back(k.path);
  map.refuse(entry.line,
             fmt::format("unknown key '{}'{}", entry.key.substr(0, 60), suggestion(entry.key, all)));
}

} // namespace

bool is_plain_name(std::string_view name) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  return !name.empty() && name.size() <= 60 && letters.find(name.front()) != letters.npos &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return letters.find(c) != letters.npos || c == '-' || c == '.' || c == '_';
         });
}

Sources parse_sources(const std::string& text, const std::string& file) {
  const YAML::Node root = parse_yaml(text, file);
  YamlMap map(root, file, "the list of sources");
  Sources sources;
  for (const YamlMap::Entry& entry : map.entries()) sources[entry.key] = map.text(entry.key);
  return sources;
}

Gpu parse_facts(const std::string& text, const std::string& file, FileKind kind, const Sources& sources) {
  const YAML::Node root = parse_yaml(text, file);
  if (root.IsNull()) throw InputError(file + " is empty");
  YamlMap map(root, file, "the file");
  Gpu gpu{.name = map.text("name"), .title = map.text("title"), .file = file};
  if (kind == FileKind::gpu) {
    gpu.aliases = map.find("aliases") != nullptr ? map.texts("aliases") : std::vector<std::string>{};
    for (const std::string& alias : gpu.aliases)
      if (alias.empty() ||
          alias.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-_") != std::string::npos)
        map.refuse(map.line_of("aliases"),
                   fmt::format("the alias {} is no plain word of small letters", perfmodel::quoted(alias)));
    gpu.chip = map.text_or("chip", "");
    gpu.architecture = map.text("architecture");
  } else {
    gpu.architecture = gpu.name;
  }
  if (!is_plain_name(gpu.name))
    map.refuse(map.line_of("name"), fmt::format("the name {} is no plain word: 1 to 60 letters, digits, '-', "
                                                "'.' and '_' are expected, a letter or digit first",
                                                perfmodel::quoted(gpu.name)));
  Sources all = sources;
  if (const YAML::Node* own = map.find("sources")) {
    YamlMap own_map(*own, file, "'sources'");
    for (const YamlMap::Entry& entry : own_map.entries()) all[entry.key] = own_map.text(entry.key);
  }
  if (kind == FileKind::architecture)
    if (const YAML::Node* lacks = map.find("lacks")) {
      YamlMap lacking(*lacks, file, "'lacks'");
      for (const YamlMap::Entry& entry : lacking.entries())
        gpu.lacks[std::string(known_key(lacking, entry).path)] = lacking.text(entry.key);
    }
  YamlMap facts(map.at("facts"), file, "'facts'");
  const Layer layer = kind == FileKind::gpu ? Layer::device : Layer::architecture;
  for (const YamlMap::Entry& entry : facts.entries()) {
    const KeyInfo& key = known_key(facts, entry);
    if (gpu.lacks.count(entry.key) != 0)
      map.refuse(entry.line, fmt::format("'{}' stands under 'lacks', too", key.path));
    gpu.facts[entry.key] = parse_fact(entry, file, key, layer, all);
  }
  map.finish();
  for (const YamlMap::Entry& entry : facts.entries()) {
    const FactRecord& fact = *gpu.record(entry.key);
    if (fact.clock.empty()) continue;
    const FactRecord* clock = gpu.record(fact.clock);
    if (clock == nullptr || clock->values.empty())
      throw InputError(fmt::format("{}: '{}' assumes the clock '{}', which the file does not give",
                                   fact.place, entry.key, fact.clock));
  }
  return gpu;
}

Gpu resolve(Gpu device, const Gpu& architecture) {
  for (const auto& [path, fact] : architecture.facts) device.facts.try_emplace(path, fact);
  for (const auto& [path, why] : architecture.lacks)
    if (device.facts.count(path) == 0) device.lacks.emplace(path, why);
  return device;
}

} // namespace perfmodel::hwdb
