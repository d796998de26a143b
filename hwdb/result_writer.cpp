// perfmodel-result/1, written. Samples are rounded to 7 significant digits: readings of clocks and timers
// hold fewer, and there are eleven to a row. Everything else is written in its shortest exact form.
#include "result_file.hpp"

#include "models/core/quantity_text.hpp"
#include "models/core/utf8.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <variant>

namespace perfmodel::hwdb {

namespace {

using Json = nlohmann::ordered_json;

Json number(double v) { return std::isfinite(v) ? Json(v) : Json(nullptr); }

Json numbers(const std::vector<double>& values) {
  Json all = Json::array();
  for (const double v : values) all.push_back(number(v));
  return all;
}

Json rounded(const std::vector<double>& samples) {
  Json all = Json::array();
  for (const double v : samples)
    all.push_back(number(std::strtod(fmt::format("{:.7g}", v).c_str(), nullptr)));
  return all;
}

// A list of a few numbers, such as the samples of a row, on one line. No text holds a bare line break in
// JSON.
std::string short_lists_joined(const std::string& text) {
  constexpr std::ptrdiff_t few = 16;
  std::string out;
  out.reserve(text.size());
  std::size_t done = 0;
  for (std::size_t at = text.find("[\n"); at != std::string::npos; at = text.find("[\n", at + 1)) {
    const std::size_t first = text.find_first_not_of(" \n", at + 1);
    const std::size_t end = text.find_first_not_of(" \n,.+-0123456789enul", at + 1);
    if (end == std::string::npos || text[end] != ']' ||
        std::count(text.begin() + static_cast<std::ptrdiff_t>(at),
                   text.begin() + static_cast<std::ptrdiff_t>(end), ',') >= few)
      continue;
    out.append(text, done, at + 1 - done);
    for (std::size_t i = first; i < end; ++i) {
      if (text[i] == ' ' || text[i] == '\n') continue;
      out += text[i];
      if (text[i] == ',') out += ' ';
    }
    done = end;
  }
  return out.append(text, done);
}

// JSON has C0 escaped already; DEL, C1 and what turns text round may stand in it as they are, and a terminal
// would obey them. Such characters stand inside of strings alone.
std::string controls_escaped(std::string text) {
  const auto suspect = [](char c) { return c == 0x7F || static_cast<unsigned char>(c) >= 0x80; };
  std::size_t at = static_cast<std::size_t>(std::find_if(text.begin(), text.end(), suspect) - text.begin());
  if (at == text.size()) return text;
  std::string out = text.substr(0, at);
  while (at < text.size()) {
    if (!suspect(text[at])) {
      out += text[at++];
      continue;
    }
    const std::size_t begin = at;
    const char32_t c = next_character(text, at);
    if (is_control(c))
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out.append(text, begin, at - begin);
  }
  return out;
}

Json cells_of(const Column& column) {
  return std::visit(
      [](const auto& values) {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::vector<double>>)
          return numbers(values);
        else
          return Json(values);
      },
      column.cells);
}

Json to_json(const Column& column) {
  return {{"name", column.name},
          {"unit", column.unit.symbol},
          {"role", name_of(column.role)},
          {"values", cells_of(column)}};
}

Json to_json(const Table& table) {
  Json columns = Json::array();
  for (const Column& c : table.columns) columns.push_back(to_json(c));
  return {{"title", table.title}, {"columns", std::move(columns)}, {"notes", table.notes}};
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
  if (s.grade != Grade::known)
    j["grade"] = name_of(s.grade), j["low"] = number(s.low), j["high"] = number(s.high);
  return j;
}

Json to_json(const Properties& properties) {
  Json j = Json::object();
  for (const auto& [key, value] : properties) j[key] = value;
  return j;
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
    samples.push_back({{"of", s.of}, {"unit", s.unit.symbol}, {"values", rounded(s.values)}});
    if (!s.sm_clock.empty()) samples.back()["sm_clock"] = rounded(s.sm_clock);
  }
  return {{"probe", m.probe},          {"model", m.model},       {"measures", m.measures},
          {"verified", m.verified},    {"invalid", m.invalid},   {"conditions", to_json(m.conditions)},
          {"table", to_json(m.table)}, {"constants", constants}, {"samples", samples}};
}

std::string dumped(const Json& json, int indent) {
  return controls_escaped(json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

// What the cells of a sweep are turned into, one after the other.
class CellWriter {
public:
  std::string_view operator()(double v) {
    if (!std::isfinite(v)) return "null";
    // As dump() writes it, which copies each number several times.
    return {number_, nlohmann::detail::to_chars(number_, number_ + sizeof number_, v)};
  }
  std::string_view operator()(std::int64_t v) {
    return {number_, std::to_chars(number_, number_ + sizeof number_, v).ptr};
  }
  std::string_view operator()(const std::string& text) {
    const bool plain = std::all_of(text.begin(), text.end(),
                                   [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; });
    if (!plain) return text_ = dumped(Json(text), -1);
    return text_.assign(1, '"').append(text).append(1, '"');
  }

private:
  char number_[64]; // the longest has 25
  std::string text_;
};

// To the bit: -0 is not 0.
bool same(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
template <class T> bool same(const T& a, const T& b) { return a == b; }

} // namespace

std::string json_cells(const Column& column, std::size_t rows, std::string_view lead) {
  const std::string between = "," + std::string(lead);
  std::string out;
  CellWriter write;
  std::visit(
      [&](const auto& cells) {
        std::string_view json;
        for (std::size_t row = 0; row < cells.size(); ++row) {
          if (row == 0 || !same(cells[row], cells[row - 1])) json = write(cells[row]);
          out.append(row == 0 ? lead : between).append(json);
        }
        if (cells.size() != 1) return;
        out.reserve(rows * (between.size() + json.size()));
        for (std::size_t row = 1; row < rows; ++row) out.append(between).append(json);
      },
      column.cells);
  return out;
}

std::string to_json(const Record& record) {
  const bool run = !record.measurements.empty();
  Json j{{"schema", result_schema}, {"kind", run ? "measured" : std::string(name_of(record.result.kind))}};
  if (!record.result.verdict.empty()) j["verdict"] = record.result.verdict;
  // Of what a model says; a list of facts has none.
  if (!run && record.result.kind == Kind::predicted && !record.result.model.empty())
    j["grade"] = name_of(record.result.grade);
  j["tool"] = record.tool;
  j["version"] = record.version;
  j["commit"] = record.commit;
  if (!record.date.empty()) j["date"] = record.date;
  if (!record.stamp.empty()) j["stamp"] = record.stamp;
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
  return short_lists_joined(dumped(j, 1)) + "\n";
}

} // namespace perfmodel::hwdb
