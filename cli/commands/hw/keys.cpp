#include "hw.hpp"

#include "models/core/fact_readers.hpp"

#include <fmt/format.h>

namespace perfmodel::cli::hw {

std::string unit_text(const KeyInfo& key) {
  if (key.kind == FactKind::text) return "word";
  return base_symbol(key.dimension) + (key.kind == FactKind::list ? " (list)" : "");
}

std::string range_text(const KeyInfo& key) {
  return key.kind == FactKind::text ? "" : fmt::format("{:.7g} to {:.7g}", key.least, key.most);
}

std::string readers_text(const KeyInfo& key) {
  const std::string readers(readers_of(key));
  return readers.empty() ? "none: " + std::string(unread_because(key)) : readers;
}

// Two tables: in one, the long texts would be cut to ribbons.
void keys(Context& context, const Options& options) {
  options.answer.check();
  Table meanings{.title = "facts that a GPU's or an architecture's file may hold, and --set may give"};
  meanings.columns = {text_column("fact", Role::key), text_column("unit"), text_column("range"),
                      text_column("meaning")};
  Table users{.title = "the probe of 'perfmodel measure' that finds a fact, and the models that read it"};
  users.columns = {text_column("fact", Role::key), text_column("probe"), text_column("models")};
  for (const KeyInfo& key : all_keys()) {
    append(meanings.columns[0], std::string(key.path));
    append(meanings.columns[1], unit_text(key));
    append(meanings.columns[2], range_text(key));
    append(meanings.columns[3], std::string(key.meaning));
    append(users.columns[0], std::string(key.path));
    append(users.columns[1], std::string(key.probe));
    append(users.columns[2], readers_text(key));
  }
  users.notes = {"A model reads a fact for some question, on some GPU; not for each."};
  give(context, options.answer, {.tables = {std::move(meanings), std::move(users)}});
}

} // namespace perfmodel::cli::hw
