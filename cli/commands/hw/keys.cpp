#include "hw.hpp"

namespace perfmodel::cli::hw {

void keys(Context& context, const Options& options) {
  options.answer.check();
  Table table{.title = "facts that a GPU's or an architecture's file may hold, and --set may give"};
  table.columns = {text_column("fact", Role::key), text_column("unit"), text_column("meaning")};
  for (const KeyInfo& key : all_keys()) {
    append(table.columns[0], std::string(key.path));
    append(table.columns[1], key.kind == FactKind::text ? "word"
                                                        : base_symbol(key.dimension) +
                                                              (key.kind == FactKind::list ? " (list)" : ""));
    append(table.columns[2], std::string(key.meaning));
  }
  give(context, options.answer, {.tables = {std::move(table)}});
}

} // namespace perfmodel::cli::hw
