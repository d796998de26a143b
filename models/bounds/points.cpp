#include "points.hpp"

#include "csv_record.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

namespace perfmodel {

namespace {

struct Place {
  std::size_t column;
  std::string unit; // the header's, "" when it has none
};

// Where a column is: "intensity", "Intensity [flop/B]", "performance (GFLOP/s)".
std::optional<Place> find_column(const std::vector<std::string>& header, std::string_view wanted,
                                 std::size_t line) {
  std::optional<Place> found;
  for (std::size_t i = 0; i < header.size(); ++i) {
    const std::size_t open = header[i].find_first_of("[(");
    std::string name = clean(std::string_view(header[i]).substr(0, open));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (name != wanted) continue;
    if (found) refuse(line, fmt::format("the column '{}' stands twice in the header", wanted));
    std::string unit;
    if (open != std::string::npos) {
      const std::size_t close = header[i].find_first_of("])", open);
      if (close == std::string::npos) refuse(line, fmt::format("the unit of '{}' is not closed", wanted));
      unit = clean(std::string_view(header[i]).substr(open + 1, close - open - 1));
    }
    found = Place{i, unit};
  }
  return found;
}

double read_cell(const std::vector<std::string>& cells, const Place& place, const Unit& unit,
                 std::string_view name, std::size_t line) {
  const std::string& cell = cells[place.column];
  double value = 0;
  try {
    const ParsedQuantity bare = parse_quantity(cell);
    value = bare.dimension || place.unit.empty() ? parse_quantity_as(cell, unit)
                                                 : bare.value * parse_quantity_as("1 " + place.unit, unit);
  } catch (const InputError& e) {
    refuse(line, fmt::format("{}: {}", name, e.what()));
  }
  if (!(value > 0) || value > 1e300) refuse(line, fmt::format("{} must be a positive number", name));
  return value;
}

// A word out of a list; nothing where the column or the cell is empty.
template <class E>
std::optional<E> read_word(const std::vector<std::string>& cells, const std::optional<Place>& place,
                           std::string_view name, std::size_t line) {
  if (!place || cells[place->column].empty()) return std::nullopt;
  static constexpr auto words = names(E{});
  const auto at = std::find(words.begin(), words.end(), cells[place->column]);
  if (at == words.end())
    refuse(line, fmt::format("{}: unknown value {}; one of {} is expected", name,
                             quoted(cells[place->column]), fmt::join(words, ", ")));
  return static_cast<E>(at - words.begin());
}

// The apostrophe that our CSV puts before what a spreadsheet would take for a formula is no part of a name.
std::string text_of(const std::string& cell) {
  const bool marked =
      cell.size() > 1 && cell[0] == '\'' && std::string_view("=+-@").find(cell[1]) != std::string_view::npos;
  return marked ? cell.substr(1) : cell;
}

// A text as a cell that reads back the same, whatever stands in it.
std::string text_cell(std::string_view text) {
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c);
  return cell + '"';
}

std::string number_cell(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

template <class E> std::string_view word_cell(const std::optional<E>& word) {
  return word ? names(E{})[static_cast<std::size_t>(*word)] : "";
}

} // namespace

std::string RooflinePoints::to_csv() const {
  std::string csv = "name,intensity,performance,low,high,predicted,path,precision,level,gpu\n";
  for (const RooflinePoint& p : points)
    csv += fmt::format("{},{},{},{},{},{},{},{},{},{}\n", text_cell(p.name), number_cell(p.intensity.value),
                       number_cell(p.performance.value), number_cell(p.low.value), number_cell(p.high.value),
                       number_cell(p.predicted.value), text_cell(p.path), word_cell(p.precision),
                       word_cell(p.level), text_cell(p.gpu));
  return csv;
}

RooflinePoints RooflinePoints::from_csv(std::string_view text) {
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3); // a byte-order mark
  std::size_t line = 1;
  while (!text.empty() && (text.front() == '\n' || text.front() == '\r' || text.front() == '#')) {
    const std::size_t end = text.find('\n');
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    ++line;
  }
  if (text.empty())
    throw InputError("points: the file is empty; a header 'name,intensity,performance' is expected");
  const std::size_t first = line;
  const std::vector<std::string> header = take_record(text, line);
  const auto column = [&](std::string_view wanted) { return find_column(header, wanted, first); };
  const auto name = column("name"), intensity = column("intensity"), performance = column("performance");
  const auto path = column("path"), precision = column("precision"), level = column("level"),
             gpu = column("gpu");
  auto low = column("low"), high = column("high"), predicted = column("predicted");
  for (auto* place :
       {&low, &high, &predicted}) // they are performances: its unit is theirs where they name none
    if (*place && performance && (*place)->unit.empty()) (*place)->unit = performance->unit;
  if (!name || !intensity)
    refuse(first, fmt::format(
                      "the header lacks the column '{}'; 'name,intensity,performance[,low,high]' is expected",
                      name ? "intensity" : "name"));
  const Unit flop_per_byte = unit_of<FlopsPerByte>(), flop_per_second = unit_of<FlopsPerSecond>();
  RooflinePoints result;
  while (!text.empty()) {
    const std::size_t at = line;
    if (text.front() == '#') { // a comment, whatever commas and quotes follow
      text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
      ++line;
      continue;
    }
    const std::vector<std::string> cells = take_record(text, line);
    if (cells.size() == 1 && cells[0].empty()) continue;
    if (cells.size() != header.size())
      refuse(at, fmt::format("{} cells where the header has {}", cells.size(), header.size()));
    if (result.points.size() == most) refuse(at, "more than 1 000 000 points");
    RooflinePoint point{.name = text_of(cells[name->column])};
    point.intensity = FlopsPerByte(read_cell(cells, *intensity, flop_per_byte, "intensity", at));
    const auto rate = [&](const std::optional<Place>& place, std::string_view what) {
      if (!place || cells[place->column].empty()) return FlopsPerSecond(absent);
      return FlopsPerSecond(read_cell(cells, *place, flop_per_second, what, at));
    };
    point.performance = rate(performance, "performance");
    point.low = rate(low, "low");
    point.high = rate(high, "high");
    point.predicted = rate(predicted, "predicted");
    const auto words = [&](const std::optional<Place>& place) {
      return place ? text_of(cells[place->column]) : "";
    };
    point.path = words(path);
    point.gpu = words(gpu);
    point.precision = read_word<Precision>(cells, precision, "precision", at);
    point.level = read_word<Level>(cells, level, "level", at);
    if (point.low > point.high) refuse(at, "low is above high");
    if (point.performance < point.low || point.performance > point.high)
      refuse(at, "performance lies outside low to high");
    result.points.push_back(std::move(point));
  }
  if (result.points.empty()) throw InputError("points: a header but no point");
  return result;
}

} // namespace perfmodel
