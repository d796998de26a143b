#include "model_error_said.hpp"

#include "models/core/in_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace perfmodel::cli {

namespace {

constexpr std::string_view end_of_low = "_low";
constexpr const char *name_of_low = "model_error_low", *name_of_high = "model_error_high";

// Whether a number of it has a band for which `is` holds.
template <class Is> bool has_band(const Table& table, Is is) {
  return std::any_of(table.columns.begin(), table.columns.end(), [&](const Column& column) {
    if (column.role != Role::low || !column.name.ends_with(end_of_low)) return false;
    const std::string name = column.name.substr(0, column.name.size() - end_of_low.size());
    return table.find(name + "_median") != nullptr && is(column);
  });
}

// Of a time or a rate.
bool has_timed_band(const Table& table) {
  return has_band(table, [](const Column& low) { return is_timed(low.unit); });
}
bool has_any_band(const Table& table) {
  return has_band(table, [](const Column&) { return true; });
}

std::string listed(const std::vector<std::string>& names) {
  if (names.size() < 2) return names.empty() ? "" : names.front();
  return fmt::format("{} and {}", fmt::join(names.begin(), names.end() - 1, ", "), names.back());
}

} // namespace

// Where nothing is open there is no band, but a model of times misses something all the same.
bool ModelErrorSaid::is_of_times(const Result& result) const {
  return std::any_of(result.tables.begin(), result.tables.end(), has_timed_band) ||
         std::any_of(kept_.gpus.begin(), kept_.gpus.end(), [&](const GpuErrors& on) {
           return std::any_of(on.errors.begin(), on.errors.end(),
                              [&](const auto& line) { return line.first.first == model_; });
         });
}

std::optional<ModelError> ModelErrorSaid::on(const std::string& gpu) const {
  return model_error_on(gpu, model_, kept_.gpus);
}

void ModelErrorSaid::add_to(Table& table) const {
  const Column* gpus = table.find("gpu");
  if (gpus == nullptr || table.find(name_of_low) != nullptr || !has_timed_band(table)) return;
  const auto column = [](const char* name) {
    return Column{.name = name, .unit = {"fraction", {}}, .role = Role::note, .cells = std::vector<double>{}};
  };
  Column low = column(name_of_low), high = column(name_of_high);
  std::map<std::string, std::optional<ModelError>> errors;
  for (std::size_t row = 0; row < gpus->size(); ++row) {
    const std::string gpu = gpus->text(row);
    auto at = errors.find(gpu);
    if (at == errors.end()) at = errors.emplace(gpu, on(gpu)).first;
    append(low, at->second ? at->second->low : absent);
    append(high, at->second ? at->second->high : absent);
  }
  const auto last = table.columns.insert(table.columns.end() - 1, std::move(low));
  table.columns.insert(last + 1, std::move(high));
}

void ModelErrorSaid::add_to(Result& result, std::span<const Gpu> gpus) const {
  if (!is_of_times(result)) {
    if (std::any_of(result.tables.begin(), result.tables.end(), has_any_band))
      result.notes.emplace_back(
          "What the model itself misses is not in the bands: see 'perfmodel validate'.");
    return;
  }
  for (Table& table : result.tables) add_to(table);
  for (std::string& sentence : sentences(gpus)) result.notes.push_back(std::move(sentence));
}

std::vector<std::string> ModelErrorSaid::sentences(std::span<const Gpu> gpus) const {
  std::vector<std::string> said;
  std::vector<std::string> without; // rows of their own
  const auto say = [&](const std::string& of, const std::string& why, const ModelError& error) {
    said.push_back(fmt::format("Model error of {}{}: {}90 % of the errors of {} other models of {}, {} whose "
                               "costs are known on {}, lie between {} and {}",
                               of, said.empty() ? ", which is not in the bands" : "", why, error.models,
                               error.communication ? "communication" : "kernels",
                               in_words(static_cast<double>(error.rows), "measured rows"), listed(error.gpus),
                               in_percent(error.low), in_percent(error.high)));
  };
  std::optional<ModelError> of_all;
  for (const Gpu& gpu : gpus) {
    const std::optional<ModelError> error = on(gpu.name);
    if (!error) return {"Model error: not known: the database keeps no errors of other models."};
    if (error->gpus == std::vector<std::string>{gpu.name}) {
      say(gpu.name, "", *error);
    } else {
      without.push_back(gpu.name);
      of_all = error;
    }
  }
  if (of_all) {
    constexpr std::size_t few = 4;
    say(without.size() > few ? fmt::format("{} other GPUs", without.size()) : listed(without),
        "too few rows, or none, are measured there, so it is that of other GPUs: ", *of_all);
  }
  for (std::string& sentence : said)
    sentence += &sentence == &said.back() ? "; error: (predicted - measured) / measured." : ".";
  if (!said.empty() && !kept_.old.empty())
    said.back() += fmt::format(" Kept on {}, and models or facts have changed since.", listed(kept_.old));
  return said;
}

void WithModelError::take(std::size_t table, const Table& rows) {
  Table wider = rows;
  error_.add_to(wider);
  if (wider.columns.size() > rows.columns.size() &&
      std::find(widened_.begin(), widened_.end(), table) == widened_.end())
    widened_.push_back(table);
  to_.take(table, wider);
}

Table WithModelError::close(std::size_t table, const std::vector<bool>& kept) {
  std::vector<bool> wider = kept;
  if (std::find(widened_.begin(), widened_.end(), table) != widened_.end())
    wider.insert(wider.end() - 1, 2, true);
  return to_.close(table, wider);
}

} // namespace perfmodel::cli
