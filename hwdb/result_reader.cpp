// perfmodel-result/1, read: strictly, and with the file's name in every sentence about what is wrong.
#include "json_tree.hpp"
#include "result_file.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

namespace perfmodel::hwdb {

namespace {

double number(const Json& j) { return j.is_null() ? absent : j.get<double>(); }

Unit unit_named(const std::string& symbol) {
  if (symbol.empty()) return {};
  try {
    return {symbol, parse_quantity("1 " + symbol).dimension.value_or(Dimension{})};
  } catch (const InputError&) {
    return {symbol, {}}; // a count of something, such as "operations"
  }
}

// A word out of a list of names: "predicted" -> Kind::predicted.
template <class E, std::size_t N> E named(const Json& j, const std::string_view (&names)[N]) {
  const auto word = j.get<std::string>();
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == word) return static_cast<E>(i);
  throw InputError("unknown word '" + word.substr(0, 40) + "'");
}

Column column_from(JsonTree& tree, const Json& j) {
  Column column{
      .name = j.at("name"), .unit = unit_named(j.at("unit")), .role = named<Role>(j.at("role"), role_names)};
  CellList* cells = tree.list(j.at("values"));
  if (cells == nullptr) throw InputError("the values of '" + column.name + "' are no list");
  column.cells = std::move(*cells);
  return column;
}

// Numbers, whole or not.
std::vector<double> numbers_from(JsonTree& tree, const Json& j) {
  CellList* cells = tree.list(j);
  if (cells == nullptr || std::holds_alternative<std::vector<std::string>>(*cells))
    throw InputError("samples are no list of numbers");
  if (auto* counts = std::get_if<std::vector<std::int64_t>>(cells)) return {counts->begin(), counts->end()};
  return std::move(std::get<std::vector<double>>(*cells));
}

Table table_from(JsonTree& tree, const Json& j) {
  Table table{.title = j.at("title")};
  for (const Json& c : j.at("columns")) table.columns.push_back(column_from(tree, c));
  for (const Column& c : table.columns)
    if (c.size() != table.rows()) throw InputError("the columns of '" + table.title + "' differ in length");
  table.notes = j.value("notes", std::vector<std::string>{});
  return table;
}

Step step_from(const Json& j) {
  Step s{.symbol = j.at("symbol"),
         .meaning = j.value("meaning", ""),
         .formula = j.value("formula", ""),
         .numbers = j.value("numbers", ""),
         .text = j.value("text", ""),
         .is_fact = j.contains("status"),
         .is_fitted = j.value("fitted", false),
         .source = j.value("source", ""),
         .place = j.value("place", ""),
         .probe = j.value("probe", "")};
  if (s.text.empty()) s.value = number(j.at("value")), s.unit = unit_named(j.at("unit"));
  if (j.contains("grade"))
    s.grade = named<Grade>(j.at("grade"), grade_names), s.low = number(j.at("low")),
    s.high = number(j.at("high"));
  if (s.is_fact)
    s.status = named<Status>(j.at("status"), status_names),
    s.layer = named<Layer>(j.at("layer"), layer_names);
  return s;
}

Properties properties_from(const Json& j) {
  Properties all;
  for (const auto& [key, value] : j.items()) all.emplace_back(key, value.get<std::string>());
  return all;
}

Measurement measurement_from(JsonTree& tree, const Json& j) {
  Measurement m{.probe = j.at("probe"),
                .model = j.at("model"),
                .measures = j.value("measures", ""),
                .table = table_from(tree, j.at("table"))};
  m.verified = j.at("verified");
  m.invalid = j.value("invalid", "");
  m.conditions = properties_from(j.value("conditions", Json::object()));
  for (const Json& c : j.value("constants", Json::array())) {
    const std::string path = c.at("fact");
    if (find_key(path) == nullptr) throw InputError("unknown fact '" + path.substr(0, 60) + "'");
    const Constant constant{.path = path,
                            .value = number(c.at("value")),
                            .low = number(c.at("low")),
                            .high = number(c.at("high")),
                            .probe = m.probe};
    if (c.contains("unit") && unit_named(c.at("unit")).dimension != find_key(path)->dimension)
      throw InputError("the fact '" + path + "' is not measured in " + c.at("unit").get<std::string>());
    if (!(constant.value > 0)) throw InputError("the fact '" + path + "' is not above zero");
    m.constants.push_back(constant);
  }
  for (const Json& s : j.value("samples", Json::array())) {
    Samples samples{.of = s.at("of"), .unit = unit_named(s.at("unit"))};
    samples.values = numbers_from(tree, s.at("values"));
    for (const Json& v : s.value("sm_clock", Json::array())) samples.sm_clock.push_back(number(v));
    m.samples.push_back(std::move(samples));
  }
  return m;
}

} // namespace

Record record_from_json(const std::string& text, const std::string& file) {
  try {
    JsonTree tree = parse_json(text);
    const Json& j = tree.root;
    if (!j.is_object() || j.value("schema", "") != result_schema)
      throw InputError(fmt::format("this is no {} file", result_schema));
    Record record{.tool = j.value("tool", ""),
                  .version = j.value("version", ""),
                  .commit = j.value("commit", ""),
                  .date = j.value("date", ""),
                  .stamp = j.value("stamp", "")};
    const Kind kind = named<Kind>(j.at("kind"), kind_names);
    record.result.kind = kind;
    record.result.verdict = j.value("verdict", std::vector<std::string>{}); // older files have none
    record.result.grade = named<Grade>(j.contains("grade") ? j.at("grade") : Json("known"), grade_names);
    if (kind == Kind::measured) {
      record.gpu = j.at("gpu");
      record.device = properties_from(j.value("device", Json::object()));
      record.environment = properties_from(j.value("environment", Json::object()));
      for (const Json& m : j.at("results")) record.measurements.push_back(measurement_from(tree, m));
      return record;
    }
    record.result.model = j.at("model");
    record.result.title = j.value("title", "");
    for (const Json& t : j.at("tables")) record.result.tables.push_back(table_from(tree, t));
    for (const Json& s : j.value("constants", Json::array())) record.result.constants.push_back(step_from(s));
    record.result.notes = j.value("notes", std::vector<std::string>{});
    for (const Json& d : j.value("derivations", Json::array())) {
      record.result.derivations.push_back({.title = d.at("title")});
      for (const Json& s : d.at("steps")) record.result.derivations.back().steps.push_back(step_from(s));
    }
    return record;
  } catch (const InputError& e) {
    throw InputError(file + ": " + e.what());
  } catch (const nlohmann::json::exception& e) {
    throw InputError(file + ": " + in_a_sentence(text, e));
  }
}

} // namespace perfmodel::hwdb
