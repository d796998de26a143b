#include "result_file.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

namespace perfmodel::hwdb {

namespace {

using Json = nlohmann::ordered_json;

Json number(double v) { return std::isfinite(v) ? Json(v) : Json(nullptr); }
double number(const Json& j) { return j.is_null() ? absent : j.get<double>(); }

Json numbers(const std::vector<double>& values) {
  Json all = Json::array();
  for (const double v : values) all.push_back(number(v));
  return all;
}

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

Json to_json(const Column& column) {
  Json cells = std::visit(
      [](const auto& values) {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::vector<double>>)
          return numbers(values);
        else
          return Json(values);
      },
      column.cells);
  return {{"name", column.name},
          {"unit", column.unit.symbol},
          {"role", name_of(column.role)},
          {"values", std::move(cells)}};
}

Column column_from(const Json& j) {
  Column column{
      .name = j.at("name"), .unit = unit_named(j.at("unit")), .role = named<Role>(j.at("role"), role_names)};
  const Json& values = j.at("values");
  if (!values.is_array()) throw InputError("the values of '" + column.name + "' are no list");
  bool text = false, whole = !values.empty();
  for (const Json& v : values) {
    text = text || v.is_string();
    whole = whole && v.is_number_integer();
  }
  if (text)
    column.cells = values.get<std::vector<std::string>>();
  else if (whole)
    column.cells = values.get<std::vector<std::int64_t>>();
  else {
    std::vector<double> cells;
    for (const Json& v : values) cells.push_back(number(v));
    column.cells = std::move(cells);
  }
  return column;
}

Json to_json(const Table& table) {
  Json columns = Json::array();
  for (const Column& c : table.columns) columns.push_back(to_json(c));
  return {{"title", table.title}, {"columns", std::move(columns)}, {"notes", table.notes}};
}

Table table_from(const Json& j) {
  Table table{.title = j.at("title")};
  for (const Json& c : j.at("columns")) table.columns.push_back(column_from(c));
  for (const Column& c : table.columns)
    if (c.size() != table.rows()) throw InputError("the columns of '" + table.title + "' differ in length");
  table.notes = j.value("notes", std::vector<std::string>{});
  return table;
}

Json to_json(const Step& s) {
  Json j{{"symbol", s.symbol}, {"meaning", s.meaning}};
  if (!s.formula.empty()) j["formula"] = s.formula;
  if (!s.numbers.empty()) j["numbers"] = s.numbers;
  if (s.text.empty())
    j["value"] = number(s.value), j["unit"] = s.unit.symbol;
  else
    j["text"] = s.text;
  if (!s.source.empty()) j["source"] = s.source;
  if (s.is_fact) j["status"] = name_of(s.status), j["layer"] = name_of(s.layer), j["place"] = s.place;
  if (!s.probe.empty()) j["probe"] = s.probe;
  if (s.is_fitted) j["fitted"] = true;
  return j;
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
  if (s.is_fact)
    s.status = named<Status>(j.at("status"), status_names),
    s.layer = named<Layer>(j.at("layer"), layer_names);
  return s;
}

Json to_json(const Properties& properties) {
  Json j = Json::object();
  for (const auto& [key, value] : properties) j[key] = value;
  return j;
}

Properties properties_from(const Json& j) {
  Properties all;
  for (const auto& [key, value] : j.items()) all.emplace_back(key, value.get<std::string>());
  return all;
}

Json to_json(const Measurement& m) {
  Json constants = Json::array(), samples = Json::array();
  for (const Constant& c : m.constants) {
    const KeyInfo* key = find_key(c.path);
    constants.push_back({{"fact", c.path},
                         {"value", number(c.value)},
                         {"low", number(c.low)},
                         {"high", number(c.high)},
                         {"unit", key != nullptr ? base_symbol(key->dimension) : ""}});
  }
  for (const Samples& s : m.samples) {
    samples.push_back({{"of", s.of}, {"unit", s.unit.symbol}, {"values", numbers(s.values)}});
    if (!s.sm_clock.empty()) samples.back()["sm_clock"] = numbers(s.sm_clock);
  }
  return {{"probe", m.probe},          {"model", m.model},       {"measures", m.measures},
          {"verified", m.verified},    {"invalid", m.invalid},   {"conditions", to_json(m.conditions)},
          {"table", to_json(m.table)}, {"constants", constants}, {"samples", samples}};
}

Measurement measurement_from(const Json& j) {
  Measurement m{.probe = j.at("probe"),
                .model = j.at("model"),
                .measures = j.value("measures", ""),
                .table = table_from(j.at("table"))};
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
    for (const Json& v : s.at("values")) samples.values.push_back(number(v));
    for (const Json& v : s.value("sm_clock", Json::array())) samples.sm_clock.push_back(number(v));
    m.samples.push_back(std::move(samples));
  }
  return m;
}

} // namespace

std::string to_json(const Record& record) {
  const bool run = !record.measurements.empty();
  Json j{{"schema", result_schema},
         {"kind", run ? "measured" : std::string(name_of(record.result.kind))},
         {"tool", record.tool},
         {"version", record.version},
         {"commit", record.commit}};
  if (!record.date.empty()) j["date"] = record.date;
  if (run) {
    j["gpu"] = record.gpu;
    j["device"] = to_json(record.device);
    j["environment"] = to_json(record.environment);
    j["results"] = Json::array();
    for (const Measurement& m : record.measurements) j["results"].push_back(to_json(m));
  } else {
    const Result& r = record.result;
    j["model"] = r.model;
    j["title"] = r.title;
    j["tables"] = Json::array();
    for (const Table& t : r.tables) j["tables"].push_back(to_json(t));
    j["constants"] = Json::array();
    for (const Step& s : r.constants) j["constants"].push_back(to_json(s));
    j["notes"] = r.notes;
    if (!r.derivations.empty()) {
      j["derivations"] = Json::array();
      for (const Derivation& d : r.derivations) {
        Json steps = Json::array();
        for (const Step& s : d.steps) steps.push_back(to_json(s));
        j["derivations"].push_back({{"title", d.title}, {"steps", std::move(steps)}});
      }
    }
  }
  return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Record record_from_json(const std::string& text, const std::string& file) {
  try {
    int depth = 0;
    const auto shallow = [&](int at, Json::parse_event_t, Json&) {
      depth = std::max(depth, at);
      if (depth > 50) throw InputError("nested too deeply");
      return true;
    };
    const Json j = Json::parse(text, shallow);
    if (!j.is_object() || j.value("schema", "") != result_schema)
      throw InputError(fmt::format("this is no {} file", result_schema));
    Record record{.tool = j.value("tool", ""),
                  .version = j.value("version", ""),
                  .commit = j.value("commit", ""),
                  .date = j.value("date", "")};
    const Kind kind = named<Kind>(j.at("kind"), kind_names);
    record.result.kind = kind;
    if (kind == Kind::measured) {
      record.gpu = j.at("gpu");
      record.device = properties_from(j.value("device", Json::object()));
      record.environment = properties_from(j.value("environment", Json::object()));
      for (const Json& m : j.at("results")) record.measurements.push_back(measurement_from(m));
      return record;
    }
    record.result.model = j.at("model");
    record.result.title = j.value("title", "");
    for (const Json& t : j.at("tables")) record.result.tables.push_back(table_from(t));
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
    std::string what = e.what(); // "[json.exception.parse_error.101] parse error at line 1, column 2: ..."
    if (const std::size_t end = what.find("] "); end != std::string::npos) what = what.substr(end + 2);
    throw InputError(file + ": " + what.substr(0, 200));
  }
}

} // namespace perfmodel::hwdb
