#include "hw.hpp"

#include "cli/gpu_names.hpp"
#include "models/core/facts.hpp"

namespace perfmodel::cli::hw {

void diff(Context& context, const Options& options) {
  options.answer.check();
  const Gpu a = with_measurements(context, gpu_named(context, options.name), ""),
            b = with_measurements(context, gpu_named(context, options.other), "");
  Table table{.title = a.name + " and " + b.name};
  table.columns = {text_column("fact", Role::key), text_column(a.name), text_column(b.name),
                   number_column("ratio", {})};
  const bool data = options.answer.is_data(); // as of `show`
  if (data)
    table.columns = {text_column("fact", Role::key), number_column(a.name, {}),
                     number_column(b.name, {}),      number_column("ratio", {}),
                     text_column(a.name + "_text"),  text_column(b.name + "_text"),
                     text_column("base_unit")};
  for (const KeyInfo& key : all_keys()) {
    const FactRecord *x = a.record(key.path), *y = b.record(key.path);
    if (x == nullptr && y == nullptr) continue;
    const std::string left = x != nullptr ? value_text(key, *x) : "",
                      right = y != nullptr ? value_text(key, *y) : "";
    if (!options.all && left == right) continue;
    append(table.columns[0], std::string(key.path));
    if (data) {
      append(table.columns[1], x != nullptr ? base_value(key, *x) : absent);
      append(table.columns[2], y != nullptr ? base_value(key, *y) : absent);
      append(table.columns[4], x != nullptr ? base_text(key, *x) : "");
      append(table.columns[5], y != nullptr ? base_text(key, *y) : "");
      append(table.columns[6], base_symbol(key.dimension));
    } else {
      append(table.columns[1], left);
      append(table.columns[2], right);
    }
    const bool numbers = x != nullptr && y != nullptr && key.kind == FactKind::number && x->values[0] != 0 &&
                         key.path != facts::year.path;
    append(table.columns[3], numbers ? y->values[0] / x->values[0] : absent);
  }
  if (table.rows() == 0) table.notes.push_back("no fact differs");
  give(context, options.answer, {.tables = {std::move(table)}});
}

} // namespace perfmodel::cli::hw
