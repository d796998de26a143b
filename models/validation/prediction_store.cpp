#include "prediction_store.hpp"

#include "models/core/stamp.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfmodel {

std::string key_of(const Series& series) {
  Stamp stamp;
  for (const std::string& text : {series.gpu, series.model, std::string(name_of(series.kind)), series.source,
                                  series.quantity, series.place, series.probe, series.value})
    stamp.add(text);
  stamp.add(fmt::format("{} {} {}", series.at_least, series.tolerance, series.table.rows()));
  for (const std::vector<std::string>* names : {&series.cards, &series.shown})
    stamp.add(fmt::format("{}", fmt::join(*names, ",")));
  for (const auto& [path, text] : series.facts) stamp.add(path), stamp.add(text);
  for (const Column& column : series.table.columns) {
    if (column.role != Role::key) continue;
    stamp.add(column.name);
    stamp.add(column.unit.symbol);
    for (std::size_t row = 0; row < column.size(); ++row) stamp.add(column.text(row));
  }
  return fmt::format("{:016x}", stamp.value());
}

const PredictedSeries* PredictionStore::find(const std::string& gpu, const Series& asked) const {
  const std::string key = key_of(asked);
  const auto at = std::find_if(series.begin(), series.end(), [&](const PredictedSeries& s) {
    return s.gpu == gpu && s.key == key && s.rows.size() == asked.table.rows();
  });
  return at == series.end() ? nullptr : &*at;
}

} // namespace perfmodel
