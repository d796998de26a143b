#include "template_file.hpp"

#include "yaml_map.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perfmodel::hwdb {

namespace {

// Names and whole numbers.
Bindings bindings(const YAML::Node& node, const std::string& file, const char* what) {
  YamlMap map(node, file, what);
  Bindings made;
  for (const YamlMap::Entry& entry : map.entries()) {
    try {
      made.values.push_back(
          Bindings::from_text(fmt::format("{}={}", entry.key, map.text(entry.key))).values.at(0));
    } catch (const InputError& e) {
      map.refuse(entry.line, e.what());
    }
  }
  return made;
}

} // namespace

KernelTemplate parse_template(const std::string& text, const std::string& file, const std::string& name) {
  const YAML::Node root = parse_yaml(text, file);
  YamlMap map(root, file, "the template");
  KernelTemplate made{.name = name,
                      .title = map.text("title"),
                      .listing = map.text("listing"),
                      .sizes = {},
                      .most = {},
                      .inputs = {}};
  made.sizes = bindings(map.at("sizes"), file, "'sizes'");
  if (const YAML::Node* most = map.find("most")) made.most = bindings(*most, file, "'most'");
  for (const char* option : {"kernel", "grid", "block"}) made.inputs.emplace_back(option, map.text(option));
  made.inputs.emplace_back("arg", fmt::format("{}", fmt::join(map.texts("arg"), ",")));
  for (const char* option : {"shared", "index", "unknown"})
    if (const std::string given = map.text_or(option, ""); !given.empty())
      made.inputs.emplace_back(option, given);
  made.blocks = map.text_or("blocks", "");
  const std::string strides = map.text_or("strides", "false");
  if (strides != "true" && strides != "false")
    throw InputError(fmt::format("{}: strides: true or false is expected", file));
  made.strides = strides == "true";
  map.finish();
  try {
    inputs_of(made, sizes_of(made, made.sizes));
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", file, e.what()));
  }
  return made;
}

} // namespace perfmodel::hwdb
