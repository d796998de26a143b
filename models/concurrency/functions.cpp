#include "functions.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

namespace {

constexpr std::string_view fact = "functions";

void add(std::vector<MixPart>& mix, const InstructionClass* instruction, double count) {
  const auto at = std::find_if(mix.begin(), mix.end(),
                               [&](const MixPart& part) { return part.instruction == instruction; });
  if (at == mix.end())
    mix.push_back({instruction, count});
  else
    at->count += count;
}

} // namespace

Functions::Functions(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    const std::string_view entry = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (entry.empty()) continue;
    const std::size_t colon = entry.find(':');
    if (colon == entry.npos)
      throw InputError(fmt::format("{}: 'FUNCTION: CLASS:COUNT,...' is expected, not '{}'", fact, entry));
    const std::string name(trimmed(entry.substr(0, colon)));
    instruction_class(name);
    // What it names has been read before: no function is made of itself.
    std::vector<MixPart> made_of;
    for (const MixPart& part : parse_mix(fact, entry.substr(colon + 1))) {
      if (part.instruction->name == name)
        throw InputError(fmt::format("{}: '{}' is made of itself", fact, name));
      if (const std::vector<MixPart>* parts = of(part.instruction->name))
        for (const MixPart& inner : *parts) add(made_of, inner.instruction, part.count * inner.count);
      else if (part.instruction->kind == InstructionKind::function)
        throw InputError(fmt::format("{}: '{}' is made of '{}', which stands nowhere before it", fact, name,
                                     part.instruction->name));
      else
        add(made_of, part.instruction, part.count);
    }
    if (!made_of_.emplace(name, std::move(made_of)).second)
      throw InputError(fmt::format("{}: '{}' stands twice", fact, name));
  }
}

const std::vector<MixPart>* Functions::of(std::string_view name) const {
  const auto at = made_of_.find(name);
  return at == made_of_.end() ? nullptr : &at->second;
}

std::vector<MixPart> Functions::expanded(std::string_view option, const std::vector<MixPart>& mix) const {
  std::vector<MixPart> all;
  for (const MixPart& part : mix) {
    if (const std::vector<MixPart>* parts = of(part.instruction->name))
      for (const MixPart& inner : *parts) add(all, inner.instruction, part.count * inner.count);
    else if (part.instruction->kind == InstructionKind::function)
      throw InputError(fmt::format("{}: '{}' is several instructions, and the fact 'functions' of this GPU "
                                   "does not say which: count those",
                                   option, part.instruction->name));
    else
      add(all, part.instruction, part.count);
  }
  return all;
}

Functions functions_of(const Gpu& gpu) {
  const auto text = gpu.find(facts::functions);
  return Functions(text ? std::string_view(text->value) : std::string_view());
}

} // namespace perfmodel
