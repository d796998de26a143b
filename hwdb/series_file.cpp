#include "series_file.hpp"

#include "yaml_map.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::hwdb {

namespace {

struct Row {
  std::string column, unit, note;
  bool at_least = false;
  double value = 0, tolerance = absent;
  RowMarks marks;
  Dimension dimension{};
  std::vector<std::pair<std::string, std::string>> keys;
  bool same_series(const Row& other) const {
    const bool same_tolerance =
        tolerance == other.tolerance || (std::isnan(tolerance) && std::isnan(other.tolerance));
    return column == other.column && at_least == other.at_least && same_tolerance &&
           dimension == other.dimension && keys.size() == other.keys.size() &&
           std::equal(keys.begin(), keys.end(), other.keys.begin(),
                      [](const auto& a, const auto& b) { return a.first == b.first; });
  }
};

// 'evidence: blind' or 'in-sample'; who says nothing wrote the model with the row in view.
Evidence evidence_said(YamlMap& map, Evidence otherwise) {
  const std::string word = map.text_or("evidence", std::string(name_of(otherwise)));
  for (const Evidence e : {Evidence::blind, Evidence::in_sample})
    if (word == name_of(e)) return e;
  map.refuse(map.line_of("evidence"), "the evidence 'blind' or 'in-sample' is expected");
}

// What every row of a file has unless it says otherwise.
struct RowDefaults {
  std::string column, unit;
  Evidence evidence = Evidence::in_sample;
};

Row parse_row(const YAML::Node& node, const std::string& file, const RowDefaults& defaults) {
  YamlMap map(node, file, "a row");
  Row row{.column = map.text_or("column", defaults.column),
          .unit = map.text_or("unit", defaults.unit),
          .note = map.text_or("note", "")};
  const std::string relation = map.text_or("relation", "");
  if (!relation.empty() && relation != "more-than")
    map.refuse(map.line_of("relation"), "the relation 'more-than' is expected");
  row.at_least = !relation.empty();
  const std::string calibrates = map.text_or("calibrates", "");
  if (!calibrates.empty() && calibrates != "true")
    map.refuse(map.line_of("calibrates"), "'calibrates: true' is expected, or no such key");
  row.marks.evidence = evidence_said(map, defaults.evidence);
  if (!calibrates.empty()) row.marks.evidence = Evidence::calibration;
  row.marks.slip = map.text_or("slip", "");
  const std::string value = map.text("value"), tolerance = map.text_or("tolerance", "");
  const std::vector<std::string> others =
      map.find("or") != nullptr ? map.texts("or") : std::vector<std::string>{};
  try {
    const ParsedQuantity q = parse_quantity(value + " " + row.unit);
    row.value = q.value;
    row.dimension = q.dimension.value_or(Dimension{});
    if (!tolerance.empty()) row.tolerance = parse_quantity_as(tolerance, {});
    for (const std::string& other : others)
      row.marks.readings.push_back(parse_quantity(other + " " + row.unit).value);
  } catch (const InputError& e) {
    map.refuse(map.line_of("value"), e.what());
  }
  for (const YamlMap::Entry& entry : map.entries())
    if (!entry.used) row.keys.emplace_back(entry.key, map.text(entry.key));
  return row;
}

// A key that is one of the model's numeric inputs is a number in base units; any other stays text.
void add_key(Table& table, std::size_t c, const std::string& name, const std::string& text,
             const Model* model) {
  if (table.columns.size() <= c) table.columns.push_back({.name = name, .role = Role::key});
  Column& column = table.columns[c];
  const Option* option = model != nullptr ? model->find(name) : nullptr;
  const bool number = option != nullptr && option->kind == OptionKind::number;
  if (number) {
    column.unit = option->unit;
    append(column, parse_quantity_as(text, option->unit));
  } else {
    append(column, text);
  }
}

Series series_of(const std::vector<Row>& rows, Series common, const std::string& column) {
  const Model* model = nullptr;
  for (const Model& m : models())
    if (m.info.name == common.model) model = &m;
  Series series = std::move(common);
  series.value = column;
  series.at_least = rows.front().at_least;
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.keys.size(); ++c)
      add_key(series.table, c, row.keys[c].first, row.keys[c].second, model);
    const std::size_t c = row.keys.size();
    if (series.table.columns.size() <= c)
      series.table.columns.push_back(
          {.name = column, .unit = {base_symbol(row.dimension), row.dimension}, .role = Role::measured});
    append(series.table.columns[c], row.value);
    series.marks.push_back(row.marks);
    if (!std::isnan(row.tolerance)) series.tolerance = row.tolerance;
    if (!row.note.empty()) series.table.notes.push_back(row.note);
  }
  series.table.title = series.quantity;
  return series;
}

} // namespace

std::vector<Series> parse_series(const std::string& text, const std::string& file, const Sources& sources) {
  const YAML::Node root = parse_yaml(text, file);
  YamlMap map(root, file, "the file");
  Series common{.gpu = map.text("gpu"),
                .model = map.text("model"),
                .kind = Kind::published,
                .quantity = map.text("quantity"),
                .place = file};
  const std::string source = map.text("source");
  const auto known = sources.find(source);
  if (known == sources.end()) map.refuse(map.line_of("source"), fmt::format("unknown source '{}'", source));
  common.source = known->second;
  if (const std::string where = map.text_or("where", ""); !where.empty()) common.source += ", " + where;
  map.text_or("setup", "");
  map.text_or("note", "");
  if (map.text("status") != "published")
    map.refuse(map.line_of("status"), "a published series has the status 'published'");
  const std::string role = map.text("role");
  if (role != "input" && role != "predicted-against")
    map.refuse(map.line_of("role"), "the role 'input' or 'predicted-against' is expected");
  common.is_input = role == "input";
  if (const YAML::Node* set = map.find("set")) {
    YamlMap facts(*set, file, "'set'");
    for (const YamlMap::Entry& entry : facts.entries())
      common.facts.emplace_back(entry.key, facts.text(entry.key));
  }
  if (map.find("cards") != nullptr) common.cards = map.texts("cards");
  if (map.find("shown") != nullptr) common.shown = map.texts("shown");
  if (common.cards.empty() && !common.shown.empty())
    map.refuse(map.line_of("shown"), "'shown' stands beside 'cards', of which the worst is scored");
  const RowDefaults defaults{.column = map.text_or("column", "value"),
                             .unit = map.text_or("unit", ""),
                             .evidence = evidence_said(map, Evidence::in_sample)};
  const YAML::Node& rows = map.at("rows");
  if (!rows.IsSequence() || rows.size() == 0) map.refuse(rows, "'rows' is not a list of rows");
  map.finish();
  std::vector<std::vector<Row>> groups;
  for (const YAML::Node& node : rows) {
    Row row = parse_row(node, file, defaults);
    const auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto& g) { return g.front().same_series(row); });
    if (group != groups.end())
      group->push_back(std::move(row));
    else
      groups.push_back({std::move(row)});
  }
  std::vector<Series> all;
  try {
    for (const auto& group : groups) all.push_back(series_of(group, common, group.front().column));
  } catch (const InputError& e) {
    throw InputError(file + ": " + e.what());
  }
  return all;
}

} // namespace perfmodel::hwdb
