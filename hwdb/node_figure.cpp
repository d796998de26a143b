#include "node_figure.hpp"

#include "yaml_map.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace perfmodel::hwdb {

namespace {

// From a tape drive to more than any switch has; from a wire's length to a network across the world.
struct Plausible {
  double least, most;
};
Plausible plausible(const Unit& unit) {
  return unit.dimension == dimension_of<Seconds> ? Plausible{1e-10, 1e-1} : Plausible{1e6, 1e14};
}

double number(YamlMap& map, const char* key, const std::string& name, const Unit& unit) {
  double value = 0;
  const std::string text = map.text(key);
  try {
    value = parse_quantity_as(text, unit);
  } catch (const InputError& e) {
    map.refuse(map.line_of(key), fmt::format("'{}': {}", name, e.what()));
  }
  if (text.find_first_not_of("0123456789.eE+-/ \t") == std::string::npos)
    map.refuse(map.line_of(key), fmt::format("'{}': {} has no unit; one like {} is expected", name,
                                             perfmodel::quoted(text), unit.symbol == "s" ? "ns" : "GB/s"));
  const auto [least, most] = plausible(unit);
  if (!(value >= least && value <= most))
    map.refuse(map.line_of(key), fmt::format("'{}': {} is outside {} to {}: is a prefix wrong?", name,
                                             format_quantity(value, unit), format_quantity(least, unit),
                                             format_quantity(most, unit)));
  return value;
}

std::string source_of(YamlMap& map, const Sources& sources) {
  std::vector<std::string> full, known;
  for (const auto& [key, text] : sources) known.push_back(key);
  for (const std::string& key : map.texts("source")) {
    const auto at = sources.find(key);
    if (at == sources.end())
      map.refuse(map.line_of("source"),
                 fmt::format("unknown source {}{}", perfmodel::quoted(key), suggestion(key, known)));
    full.push_back(at->second);
  }
  if (full.empty()) map.refuse(map.line_of("source"), "a value without a source");
  return fmt::format("{}", fmt::join(full, "; "));
}

void check_status(YamlMap& map) {
  const std::string word = map.text("status");
  std::vector<std::string> all(std::begin(status_names), std::end(status_names));
  all.erase(std::remove(all.begin(), all.end(), name_of(Status::unverified)), all.end());
  if (word == name_of(Status::unverified))
    map.refuse(map.line_of("status"), "what is unverified is assumed: give 'from', 'to' and 'why'");
  if (std::find(all.begin(), all.end(), word) == all.end())
    map.refuse(map.line_of("status"),
               fmt::format("unknown status {}{}; one of {} is expected", perfmodel::quoted(word),
                           suggestion(word, all), fmt::join(all, ", ")));
}

} // namespace

PlainFigure parse_plain_figure(const YAML::Node& node, const std::string& file, const std::string& key,
                               int line, const Unit& unit, const Sources& sources) {
  YamlMap map(node, file, fmt::format("'{}'", key), line);
  PlainFigure figure{.value = number(map, "value", key, unit)};
  if (map.find("why") == nullptr) {
    figure.low = figure.high = figure.value;
    check_status(map);
    figure.source = source_of(map, sources);
    if (const std::string note = map.text_or("note", ""); !note.empty()) figure.source += " (" + note + ")";
  } else {
    figure.grade = Grade::assumed;
    figure.low = number(map, "from", key, unit), figure.high = number(map, "to", key, unit);
    figure.source = map.text("why");
    if (!(figure.low < figure.high && figure.low <= figure.value && figure.value <= figure.high))
      map.refuse(line,
                 fmt::format("'{}': {} is not within {} to {}", key, format_quantity(figure.value, unit),
                             format_quantity(figure.low, unit), format_quantity(figure.high, unit)));
  }
  map.finish();
  return figure;
}

} // namespace perfmodel::hwdb
