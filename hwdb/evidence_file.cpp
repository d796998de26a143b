#include "evidence_file.hpp"

#include "yaml_map.hpp"

#include "models/core/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace perfmodel::hwdb {

namespace {

// A quantity goes by a model's name: a misspelt one would make nothing semi-circular, without a word.
void check_model(const YamlMap& map, const std::string& name, const std::string& quantity) {
  std::vector<std::string> names;
  for (const Model& m : models()) {
    names.emplace_back(m.info.name);
    if (m.info.name != name) continue;
    if (quantity.empty() || std::find(m.outputs.begin(), m.outputs.end(), quantity) != m.outputs.end())
      return;
    map.refuse(map.line_of("quantity"), fmt::format("the model '{}' has no quantity '{}'{}", name, quantity,
                                                    suggestion(quantity, m.outputs)));
  }
  if (!name.empty())
    map.refuse(map.line_of("model"), fmt::format("unknown model '{}'{}", name, suggestion(name, names)));
}

OwnConstant own_constant(const YAML::Node& node, const std::string& file) {
  YamlMap map(node, file, "an own constant");
  OwnConstant own{.model = map.text("model"),
                  .quantity = map.text("quantity"),
                  .probe = map.text_or("probe", ""),
                  .symbol = map.text_or("symbol", ""),
                  .input = map.text_or("input", ""),
                  .why = map.text("why")};
  map.finish();
  if (!own.probe.empty() + !own.symbol.empty() + !own.input.empty() != 1)
    map.refuse(map.line_of("model"), "one of 'probe', 'symbol' and 'input' is expected");
  check_model(map, own.model, own.quantity);
  if (!own.input.empty() && model(own.model).find(own.input) == nullptr)
    map.refuse(map.line_of("input"), fmt::format("the model '{}' has no input '{}'", own.model, own.input));
  return own;
}

NamedRows named_rows(const YAML::Node& node, const std::string& file) {
  YamlMap map(node, file, "one of the rows");
  NamedRows rows{.gpu = map.text("gpu"),
                 .model = map.text_or("model", ""),
                 .probe = map.text_or("probe", ""),
                 .quantity = map.text_or("quantity", ""),
                 .why = map.text("why")};
  map.finish();
  check_model(map, rows.model, rows.model.empty() ? "" : rows.quantity);
  return rows;
}

} // namespace

EvidenceRecord parse_evidence(const std::string& text, const std::string& file) {
  const YAML::Node root = parse_yaml(text, file);
  YamlMap map(root, file, "the file");
  const auto list = [&](std::string_view key) -> YAML::Node {
    const YAML::Node& node = map.at(key);
    if (!node.IsSequence()) map.refuse(map.line_of(key), fmt::format("'{}' is no list", key));
    return node;
  };
  EvidenceRecord record;
  for (const YAML::Node& node : list("own_constants"))
    record.own_constants.push_back(own_constant(node, file));
  record.seen = map.texts("seen");
  for (const YAML::Node& node : list("blind")) record.blind.push_back(named_rows(node, file));
  for (const YAML::Node& node : list("in_sample")) record.in_sample.push_back(named_rows(node, file));
  map.finish();
  return record;
}

} // namespace perfmodel::hwdb
