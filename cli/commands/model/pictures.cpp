#include "pictures.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/default_sweeps.hpp"
#include "models/drawings/drawings.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::cli {

namespace {

// For a caption: the GPU, and what was given.
std::vector<std::string> inputs_of(const Model& model, std::span<const Gpu> gpus,
                                   const ModelOptions& options) {
  constexpr std::size_t longest = 40;
  std::vector<std::string> inputs;
  if (!gpus.empty()) inputs.push_back(gpus.front().name);
  const auto given = [&](const Option& option) {
    const auto at = options.inputs.given.find(option.name);
    return at == options.inputs.given.end() ? std::string() : at->second;
  };
  for (const Option& option : model.options)
    if (const std::string text = given(option); // a listing may be its whole text
        !text.empty() && text.size() <= longest && text.find('\n') == text.npos)
      inputs.push_back(spaced(option.name) + " = " + text);
  for (const std::string& fact : options.hardware.set) inputs.push_back(fact);
  return inputs;
}

// What is drawn over a quantity, such as time, rests on costs. A drawing of places does not.
void say_grade(const Model& model, std::span<const Gpu> gpus, const Request& request, Drawing& drawing) {
  if (gpus.empty() || drawing.across.empty()) return;
  Request answer = request;
  answer.points_only = true;
  try {
    if (const Grade grade = predict(model, gpus, answer).grade; grade != Grade::known)
      drawing.verdict.push_back(fmt::format("It rests on {} costs.", name_of(grade)));
  } catch (const InputError&) { // what is drawn stands, whatever else cannot be answered
  }
}

} // namespace

std::string sweep_for_picture(const Model& model, std::span<const Gpu> gpus, const AnswerOptions& answer,
                              Request& request) {
  const auto is_swept = [](const Axis& axis) { return axis.values.size() > 1; };
  const auto any_axis = [&](const auto& is) {
    return std::any_of(request.inputs.begin(), request.inputs.end(), is) ||
           std::any_of(request.facts.begin(), request.facts.end(), is);
  };
  if (any_axis([&](const Axis& axis) { return axis.name == model.info.x; })) return "";
  const auto other =
      std::max_element(request.inputs.begin(), request.inputs.end(),
                       [](const Axis& a, const Axis& b) { return a.values.size() < b.values.size(); });
  const bool is_over_another = other != request.inputs.end() && other->values.size() > 2;
  const std::optional<Axis> sweep = is_over_another      ? few_of_x(model)
                                    : any_axis(is_swept) ? std::nullopt
                                                         : default_sweep(model);
  if (!sweep || !answer.is_usual_picture()) return "";
  const std::string over = is_over_another ? other->name : "";
  Request swept = request;
  swept.inputs.push_back(*sweep);
  Request quick = swept;
  quick.quick_grades = quick.points_only = true, quick.bands = false;
  try {
    predict(model, gpus, quick);
  } catch (const InputError&) { // an input has taken its place, such as an expression that of a stride
    return "";
  }
  request = std::move(swept);
  return over;
}

void draw_over(const std::string& input, const Model& model, Result& result) {
  const bool is_column = std::any_of(result.tables.begin(), result.tables.end(), [&](const Table& table) {
    return table.find(input) != nullptr && table.find(result.chart.y) != nullptr;
  });
  if (is_column) result.chart.x = input, result.chart.series = model.info.x, result.chart.log_x = false;
}

void give_drawing(const Model& model, Context& context, const ModelOptions& options) {
  if (options.explain || options.bands || options.published ||
      (options.measured != nullptr && options.measured->count() > 0))
    throw InputError("--draw is a picture of its own: leave --explain, --bands, --measured and "
                     "--published away");
  const std::vector<Gpu> gpus = devices_asked_for(context, model, options);
  if (gpus.size() > 1)
    throw InputError(fmt::format("--draw {} is of one GPU, not of {}", options.draw, gpus.size()));
  const Gpu nobody;
  Progress progress(context);
  progress.say(fmt::format("draws {} of {}", options.draw, asked_in_words(model, gpus)));
  const Request request = request_of(context, model, options);
  Drawing drawing = draw(model.info.name, options.draw, gpus.empty() ? nobody : gpus.front(), request);
  say_grade(model, gpus, request, drawing);
  progress.end();
  give(context, options.answer, drawing, inputs_of(model, gpus, options), !gpus.empty());
}

} // namespace perfmodel::cli
