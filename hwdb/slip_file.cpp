#include "slip_file.hpp"

#include "yaml_map.hpp"

#include "models/core/model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::hwdb {

namespace {

const Model& model_of(const YamlMap& map, const std::string& name) {
  std::vector<std::string> names;
  for (const Model& m : models()) {
    if (m.info.name == name) return m;
    names.emplace_back(m.info.name);
  }
  map.refuse(map.line_of("model"), fmt::format("unknown model '{}'{}", name, suggestion(name, names)));
}

// A misspelt column would be in no answer, and the slip would never be told.
void check_column(const YamlMap& map, const Model& model, const YamlMap::Entry& entry) {
  std::vector<std::string> columns = model.outputs;
  for (const Option& option : model.options) columns.push_back(option.name);
  if (std::find(columns.begin(), columns.end(), entry.key) == columns.end())
    map.refuse(entry.line, fmt::format("the model '{}' has no column '{}'{}", model.info.name, entry.key,
                                       suggestion(entry.key, columns)));
}

SlipMet parse_met(const YAML::Node& node, const std::string& file, const std::string& command) {
  YamlMap map(node, file, "where a slip is met");
  SlipMet met{.model = map.text("model")};
  const Model& model = model_of(map, met.model);
  if (map.find("cc") != nullptr) met.cc = map.texts("cc");
  if (map.find("gpus") != nullptr) met.gpus = map.texts("gpus");
  if (const YAML::Node* rows = map.find("rows")) {
    YamlMap columns(*rows, file, "'rows'");
    for (const YamlMap::Entry& entry : columns.entries()) {
      check_column(columns, model, entry);
      met.row.emplace_back(entry.key, columns.texts(entry.key));
    }
  }
  met.ask = map.text_or("ask", command);
  map.finish();
  if (met.ask.rfind(met.model + " ", 0) != 0)
    map.refuse(map.line_of("model"),
               fmt::format("'ask', else the entry's command, is one of '{}': '{}'", met.model, met.ask));
  return met;
}

Slip parse_slip(const YAML::Node& node, const std::string& file, const std::string& source) {
  YamlMap map(node, file, "a slip");
  Slip slip{.id = map.text("id"),
            .source = source,
            .where = map.text("where"),
            .printed = map.text("printed"),
            .right = map.text("right"),
            .why = map.text("why"),
            .command = map.text("command"),
            .shows = map.text("shows")};
  if (!is_plain_name(slip.id))
    map.refuse(map.line_of("id"), fmt::format("'{}' is no plain name", slip.id.substr(0, 60)));
  const YAML::Node& met = map.at("met");
  if (!met.IsSequence()) map.refuse(met, "'met' is no list");
  for (const YAML::Node& one : met) slip.met.push_back(parse_met(one, file, slip.command));
  map.finish();
  return slip;
}

} // namespace

std::string Slip::author() const { return source.substr(0, source.find(',')); }

std::vector<Slip> parse_slips(const std::string& text, const std::string& file, const Sources& sources) {
  const YAML::Node root = parse_yaml(text, file);
  YamlMap map(root, file, "the file");
  const auto source = sources.find(map.text("source"));
  if (source == sources.end())
    map.refuse(map.line_of("source"), fmt::format("unknown source '{}'", map.text("source")));
  const YAML::Node& list = map.at("slips");
  if (!list.IsSequence()) map.refuse(list, "'slips' is no list");
  map.finish();
  std::vector<Slip> all;
  for (const YAML::Node& node : list) {
    Slip slip = parse_slip(node, file, source->second);
    if (std::any_of(all.begin(), all.end(), [&](const Slip& other) { return other.id == slip.id; }))
      map.refuse(node, fmt::format("the id '{}' is there twice", slip.id));
    all.push_back(std::move(slip));
  }
  return all;
}

} // namespace perfmodel::hwdb
