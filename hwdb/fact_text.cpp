// Facts out: the YAML text that parse_facts reads.
#include "fact_file.hpp"

#include "models/core/quantity_text.hpp"
#include "models/core/utf8.hpp"

#include <fmt/format.h>

namespace perfmodel::hwdb {

namespace {

// Double quotes with everything odd escaped: always one line, always the same text back, but for bytes that
// are no UTF-8.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_character(text, at);
    if (c == U'"' || c == U'\\')
      out += '\\', out += text[begin];
    else if (c == no_character)
      out += '?';
    else if (is_control(c))
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out.append(text, begin, at - begin);
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
