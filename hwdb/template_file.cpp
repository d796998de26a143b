#include "template_file.hpp"

#include "yaml_map.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perfmodel::hwdb {

KernelTemplate parse_template(const std::string& text, const std::string& file, const std::string& name) {
  const YAML::Node root = parse_yaml(text, file);
  YamlMap map(root, file, "the template");
  KernelTemplate made{
      .name = name, .title = map.text("title"), .listing = map.text("listing"), .sizes = {}, .inputs = {}};
  YamlMap sizes(map.at("sizes"), file, "'sizes'");
  for (const YamlMap::Entry& entry : sizes.entries()) {
    const std::string word = fmt::format("{}={}", entry.key, sizes.text(entry.key));
    try {
      made.sizes.values.push_back(Bindings::from_text(word).values.at(0));
    } catch (const InputError& e) {
      sizes.refuse(entry.line, e.what());
    }
  }
  for (const char* option : {"kernel", "grid", "block"}) made.inputs.emplace_back(option, map.text(option));
  made.inputs.emplace_back("arg", fmt::format("{}", fmt::join(map.texts("arg"), ",")));
  for (const char* option : {"shared", "index", "unknown"})
    if (const std::string given = map.text_or(option, ""); !given.empty())
      made.inputs.emplace_back(option, given);
  map.finish();
  try {
    inputs_of(made, sizes_of(made, made.sizes));
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", file, e.what()));
  }
  return made;
}

} // namespace perfmodel::hwdb
