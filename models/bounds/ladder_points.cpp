// The rungs of a ladder as points of a roofline.
#include "points.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

// What makes one ladder differ from another: keys other than the rung and the GPU.
std::vector<const Column*> conditions(const Table& table) {
  std::vector<const Column*> keys;
  for (const Column& c : table.columns)
    if (c.role == Role::key && c.name != "version" && c.name != "gpu") keys.push_back(&c);
  return keys;
}

bool is_constant(const Column& column) {
  for (std::size_t row = 1; row < column.size(); ++row)
    if (column.text(row) != column.text(0)) return false;
  return true;
}

bool is_ladder(const Table& table) {
  const Column *version = table.find("version"), *intensity = table.find("intensity"),
               *performance = table.find("performance");
  return version != nullptr && version->is_text() && intensity != nullptr && !intensity->is_text() &&
         performance != nullptr && !performance->is_text() && performance->role == Role::predicted;
}

// The row of a comparison with the same version under the same conditions, and no others.
std::optional<std::size_t> same_rung(const Table& ladder, std::size_t row, const Table& measured) {
  const std::vector<const Column*> keys = conditions(ladder);
  if (conditions(measured).size() != keys.size()) return std::nullopt;
  const Column* versions = measured.find("version");
  for (std::size_t at = 0; versions != nullptr && at < measured.rows(); ++at)
    if (versions->text(at) == ladder.at("version").text(row) &&
        std::all_of(keys.begin(), keys.end(), [&](const Column* key) {
          const Column* other = measured.find(key->name);
          return other != nullptr && other->role == Role::key && other->text(at) == key->text(row);
        }))
      return at;
  return std::nullopt;
}

// The rate that was measured: itself, or the work of the rung over the time that was.
double measured_rate(const Result& result, const Table& ladder, std::size_t row) {
  for (const std::string_view quantity : {"performance", "time"})
    for (const Table& table : result.tables) {
      const Column *measured = table.find("measured"), *predicted = ladder.find(quantity);
      if (table.title.rfind(fmt::format("{} {}: ", result.model, quantity), 0) != 0 || measured == nullptr ||
          measured->role != Role::measured || predicted == nullptr)
        continue;
      const auto at = same_rung(ladder, row, table);
      if (!at) continue;
      const double value = measured->number(*at);
      return quantity == "time" ? ladder.at("performance").number(row) * predicted->number(row) / value
                                : value;
    }
  return absent;
}

template <class E> std::optional<E> word_of(const Table& table, std::string_view column, std::size_t row) {
  const Column* words = table.find(column);
  if (words == nullptr || words->text(row).empty()) return std::nullopt;
  static constexpr auto known = names(E{});
  const auto at = std::find(known.begin(), known.end(), words->text(row));
  if (at == known.end())
    throw InputError(fmt::format("points, table {}, row {}: unknown {} {}", quoted(table.title), row + 1,
                                 column, quoted(words->text(row))));
  return static_cast<E>(at - known.begin());
}

// Such as "matmul, n 1024", with those conditions that differ.
std::string told(std::string text, const std::vector<const Column*>& differing, std::size_t row) {
  for (const Column* key : differing) text += fmt::format(", {} {}", key->name, key->text(row));
  if (text.size() > 1000 || text.find('\0') != std::string::npos)
    throw InputError("points: the name of a version is too long or binary data");
  return text;
}

void add_ladder(std::vector<RooflinePoint>& points, const Result& result, const Table& table) {
  const Column* gpu = table.find("gpu");
  const bool one_gpu = gpu == nullptr || is_constant(*gpu); // comparisons do not say of which of several
  std::vector<const Column*> differing = conditions(table);
  std::erase_if(differing, [](const Column* key) { return is_constant(*key); });
  const Column& performance = table.at("performance");
  const char* precision = table.find("precision") != nullptr ? "precision" : "type"; // as reduction calls it
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double intensity = table.at("intensity").number(row), rate = performance.number(row);
    if (std::isnan(intensity) || std::isnan(rate)) continue; // a version that cannot run
    if (intensity == 0 && rate == 0) continue;               // a sum of one number
    const auto positive = [](double v) { return v > 0 && v <= 1e300; };
    if (!positive(intensity) || !positive(rate))
      throw InputError(fmt::format("points, table {}, row {}: intensity and performance must be positive",
                                   quoted(table.title), row + 1));
    const double measured = one_gpu ? measured_rate(result, table, row) : absent;
    points.push_back({.name = told(table.at("version").text(row), differing, row),
                      .path = told(result.model, differing, row),
                      .gpu = gpu != nullptr ? gpu->text(row) : "",
                      .precision = word_of<Precision>(table, precision, row),
                      .level = word_of<Level>(table, "level", row),
                      .intensity = FlopsPerByte(intensity),
                      .performance = FlopsPerSecond(positive(measured) ? measured : absent),
                      .predicted = FlopsPerSecond(rate)});
    if (points.size() > RooflinePoints::most) throw InputError("points: more than 1 000 000 rows");
  }
}

} // namespace

RooflinePoints RooflinePoints::from_result(const Result& result) {
  RooflinePoints read;
  bool any = false;
  for (const Table& table : result.tables)
    if (is_ladder(table)) any = true, add_ladder(read.points, result, table);
  if (!any)
    throw InputError(fmt::format("points: the result of {} has no intensity and performance: only versions "
                                 "that do arithmetic, such as those of reduction and matmul, have a place on "
                                 "a roofline",
                                 quoted(result.model)));
  if (read.points.empty()) throw InputError("points: no version with an intensity and a performance");
  return read;
}

} // namespace perfmodel
