#include "row_prediction.hpp"

#include "row_question.hpp"

#include "models/core/error.hpp"
#include "models/core/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace perfmodel {

namespace {

std::vector<std::string> words_of(const Model& model, const Request& request) {
  std::vector<std::string> words{std::string(model.info.name), request.points_only ? "points" : "all"};
  if (request.bands) words.push_back("bands of " + std::string(model.info.banded));
  for (const std::vector<Axis>* axes : {&request.inputs, &request.facts})
    for (const Axis& axis : *axes) {
      const Value& value = axis.values.front();
      words.push_back(axis.name);
      words.push_back(value.text.empty() ? fmt::format("{}", value.number) : value.text);
    }
  return words;
}

} // namespace

bool covers(const Model& model, const Series& series) {
  const auto has_output = [&](const std::string& name) {
    return std::find(model.outputs.begin(), model.outputs.end(), name) != model.outputs.end();
  };
  const auto known = [&](const Column& c) {
    return c.role != Role::key || c.name == "gpu" || model.find(c.name) != nullptr ||
           find_key(c.name) != nullptr || has_output(c.name);
  };
  return has_output(series.value) &&
         std::all_of(series.table.columns.begin(), series.table.columns.end(), known);
}

bool names_nothing_of(const Model& model, const Column& key) {
  const Option* option = key.role == Role::key ? model.find(key.name) : nullptr;
  if (option == nullptr || option->kind != OptionKind::choice || !key.is_text()) return false;
  for (std::size_t row = 0; row < key.size(); ++row)
    if (std::find(option->choices.begin(), option->choices.end(), key.text(row)) != option->choices.end())
      return false;
  return key.size() > 0;
}

bool is_yardstick(const Model& model, const Series& series) {
  return series.kind == Kind::measured &&
         std::any_of(series.table.columns.begin(), series.table.columns.end(),
                     [&](const Column& key) { return names_nothing_of(model, key); });
}

RowPredictions::Device& RowPredictions::assuming(const Assumed& facts) {
  const auto there = devices_.find(facts);
  if (there != devices_.end()) return there->second;
  Gpu gpu = gpu_;
  for (const auto& [path, text] : facts) gpu = with_fact(std::move(gpu), path, std::string_view(text));
  return devices_.emplace(facts, Device{.gpu = std::move(gpu), .answers = {}}).first->second;
}

const Result& RowPredictions::ask(Device& device, const Model& model, const Request& request) {
  std::optional<Result>& answer = device.answers[words_of(model, request)];
  if (!answer) answer = predict(model, std::span(&device.gpu, 1), request);
  return *answer;
}

const std::optional<Result>& RowPredictions::ask_without(Device& device, const Model& model,
                                                         const Request& request,
                                                         std::span<const Step> constants) {
  Question question = words_of(model, request);
  question.push_back("without");
  for (const Step& constant : constants) question.push_back(constant.symbol);
  const auto [at, is_new] = device.answers.try_emplace(std::move(question));
  if (!is_new) return at->second;
  std::vector<decltype(Gpu::facts)::node_type> taken;
  for (const Step& constant : constants) taken.push_back(device.gpu.facts.extract(constant.symbol));
  try {
    at->second = predict(model, std::span(&device.gpu, 1), request);
  } catch (const InputError&) {
    at->second.reset();
  }
  for (auto& fact : taken) device.gpu.facts.insert(std::move(fact));
  return at->second;
}

RowBand RowPredictions::band_of(const Model& model, const Series& series, std::size_t row) {
  Model banded = model; // by default another of its numbers has the band
  banded.info.banded = series.value;
  Device& device = assuming(series.facts);
  const auto answer_of = [&](const Request& request) -> const Result& {
    return ask(device, banded, request);
  };
  return answered(banded, series, row, {.quick_grades = true, .bands = true}, answer_of).picked.band;
}

RowPrediction RowPredictions::of(const Model& model, const Series& series, std::size_t row,
                                 std::span<const Step> known) {
  Device& device = assuming(series.facts);
  const auto answer_of = [&](const Request& request) -> const Result& { return ask(device, model, request); };
  std::optional<Answered> found;
  try {
    found = answered(model, series, row, {.quick_grades = quick_}, answer_of);
  } catch (const RefusedKernel& refused) {
    return {.tolerance = model.info.tolerance, .notes = {fmt::format("row {}: {}", row + 1, refused.what())}};
  }
  const RowQuestion& asked = found->asked;
  const Result* answer = found->answer;
  const Picked& picked = found->picked;
  const double value = picked.value;
  RowPrediction prediction{.value = value, .tolerance = series.tolerance, .grade = picked.grade};
  for (const std::string& note : answer->notes) // its rows have their grades
    if (!note.starts_with(mixed_grades)) prediction.notes.push_back(note);
  if (std::isnan(prediction.tolerance))
    prediction.tolerance =
        model.tolerance ? model.tolerance(model, device.gpu, asked.request) : model.info.tolerance;
  if (std::isnan(prediction.value)) return prediction; // rests on nothing
  const auto named = [&](const Step& c) {
    return (series.probe.empty() || c.probe != series.probe) &&
           std::ranges::any_of(known, [&](const Step& k) { return same_constant(k, c); });
  };
  std::vector<Step> tried;
  for (const Step& constant : answer->constants) {
    if (named(constant)) continue;
    const bool has_part =
        model.info.simulated || constant.grade != Grade::known || (constant.is_fitted && !constant.is_fact);
    (has_part ? prediction.constants : tried).push_back(constant);
  }
  // Taking them away changes the value, or leaves no answer.
  const auto matter = [&](std::span<const Step> constants) {
    if (constants.empty()) return false;
    const std::optional<Result>& without = ask_without(device, model, asked.request, constants);
    return !without || value_in(*without, asked, series, row) != value;
  };
  if (!matter(tried)) return prediction;
  for (const Step& constant : tried)
    if (matter({&constant, 1})) prediction.constants.push_back(constant);
  return prediction;
}

} // namespace perfmodel
