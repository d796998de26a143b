// Facts out: the YAML text that parse_facts reads.
#include "fact_file.hpp"

#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

namespace perfmodel::hwdb {

namespace {

// Double quotes with everything odd escaped: always one line, always the same text back.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += c;
  }
  return out + "\"";
}

std::string value_text(double value, const KeyInfo& key) {
  const std::string symbol = base_symbol(key.dimension);
  return fmt::format("{}{}{}", format_exact(value), symbol.empty() ? "" : " ", symbol);
}

} // namespace

std::string to_yaml(const Gpu& gpu) {
  Sources sources; // text -> key, turned round
  std::string body;
  for (const KeyInfo& key : all_keys()) {
    const FactRecord* fact = gpu.record(key.path);
    if (fact == nullptr || fact->layer == Layer::architecture) continue;
    std::string values;
    for (const double v : fact->values) values += (values.empty() ? "" : ", ") + value_text(v, key);
    if (key.kind == FactKind::text) values = quoted(fact->text);
    if (key.kind == FactKind::list) values = "[" + values + "]";
    const std::string name =
        sources.try_emplace(fact->source, fmt::format("s{}", sources.size() + 1)).first->second;
    body += fmt::format("  {}: {{value: {}, status: {}, source: {}", key.path, values, name_of(fact->status),
                        name);
    if (!fact->clock.empty()) body += ", clock: " + fact->clock;
    if (!fact->note.empty()) body += ", note: " + quoted(fact->note);
    body += "}\n";
  }
  std::string head = fmt::format("name: {}\ntitle: {}\n", quoted(gpu.name), quoted(gpu.title));
  std::string aliases;
  for (const std::string& alias : gpu.aliases)
    aliases += (aliases.empty() ? "" : ", ") + alias; // plain words: nobody parses this line to find them
  if (!aliases.empty()) head += fmt::format("aliases: [{}]\n", aliases);
  if (!gpu.chip.empty()) head += fmt::format("chip: {}\n", quoted(gpu.chip));
  head += fmt::format("architecture: {}\nsources:\n", quoted(gpu.architecture));
  for (const auto& [text, name] : sources) head += fmt::format("  {}: {}\n", name, quoted(text));
  return head + "facts:\n" + body;
}

} // namespace perfmodel::hwdb
