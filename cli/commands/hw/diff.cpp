#include "hw.hpp"

namespace perfmodel::cli::hw {

void diff(Context& context, const Options& options) {
  options.answer.check();
  const Gpu a = with_measurements(context, context.database().gpu(options.name), ""),
            b = with_measurements(context, context.database().gpu(options.other), "");
  Table table{.title = a.name + " and " + b.name};
  table.columns = {text_column("fact", Role::key), text_column(a.name), text_column(b.name),
                   number_column("ratio", {})};
  for (const KeyInfo& key : all_keys()) {
    const FactRecord *x = a.record(key.path), *y = b.record(key.path);
    if (x == nullptr && y == nullptr) continue;
    const std::string left = x != nullptr ? value_text(key, *x) : "",
                      right = y != nullptr ? value_text(key, *y) : "";
    if (!options.all && left == right) continue;
    append(table.columns[0], std::string(key.path));
    append(table.columns[1], left);
    append(table.columns[2], right);
    const bool numbers = x != nullptr && y != nullptr && key.kind == FactKind::number && x->values[0] != 0;
    append(table.columns[3], numbers ? y->values[0] / x->values[0] : absent);
  }
  if (table.rows() == 0) table.notes.push_back("no fact differs");
  give(context, options.answer, {.tables = {std::move(table)}});
}

} // namespace perfmodel::cli::hw
