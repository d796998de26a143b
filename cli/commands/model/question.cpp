#include "question.hpp"

#include "step_name.hpp"

#include "cli/chosen_gpus.hpp"
#include "cli/in_parallel.hpp"
#include "models/bounds/roofline.hpp"
#include "models/core/error.hpp"
#include "models/core/what_if.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::cli {

bool takes_template(const Model& model) { return model.info.positional == "listing"; }

Request request_of(Context& context, const Model& model, const ModelOptions& options) {
  refuse_step_without_steps(model, options.inputs);
  Request request{.explain = true}; // the derivation also tells which facts were used
  request.inputs = options.inputs.axes(context, model);
  request.facts = fact_axes(options.hardware.set);
  request.bands = options.bands;
  return request;
}

std::vector<Gpu> devices_asked_for(Context& context, const Model& model, const ModelOptions& options) {
  const HardwareOptions& hardware = options.hardware;
  if (model.info.gpu == GpuUse::needed || !hardware.hw.empty()) return devices(context, hardware);
  if (!hardware.set.empty()) throw InputError("--set changes a fact of a GPU: name the GPU with --hw");
  if (options.measured != nullptr && options.measured->count() > 0)
    throw InputError("--measured is of a GPU: name it with --hw");
  return {};
}

std::vector<Gpu> that_answer(Context& context, const Model& model, std::vector<Gpu> gpus, Request request,
                             const HardwareOptions& hardware, Progress& progress) {
  if (!has_choice(hardware.hw)) return gpus;
  request.quick_grades = true;
  request.bands = false;
  std::vector<std::string> why_not(gpus.size());
  const auto ask = [&](std::size_t i) {
    try {
      predict(model, std::span(&gpus[i], 1), request);
    } catch (const InputError& e) {
      why_not[i] = e.what();
    }
  };
  in_parallel(gpus.size(), ask, [&](std::size_t i) {
    progress.say(fmt::format("{} {}", gpus[i].name, why_not[i].empty() ? "answers" : "does not answer"));
  });
  std::string why;
  std::vector<Gpu> that_do;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (why_not[i].empty()) {
      that_do.push_back(std::move(gpus[i]));
      continue;
    }
    why = why_not[i];
    const bool names_it = why.rfind(gpus[i].name + ' ', 0) == 0; // "apple-m1 has no units for ..."
    context.err << fmt::format("left out: {}{}\n", names_it ? "" : gpus[i].name + ": ", why);
  }
  gpus = std::move(that_do);
  if (gpus.empty()) throw InputError(fmt::format("--hw: none of these GPUs has an answer: {}", why));
  return gpus;
}

Result answer_of(const Model& model, std::span<const Gpu> gpus, const Request& request,
                 const ModelOptions& options, RowSink* sink) {
  const auto file = options.inputs.given.find("points");
  const bool with_points = file != options.inputs.given.end() && !file->second.empty();
  try {
    Result result = sink == nullptr ? predict(model, gpus, request) : predict(model, gpus, request, *sink);
    if (with_points && std::none_of(result.tables.begin(), result.tables.end(), [](const Table& table) {
          return table.title == Roofline::Kernel::title && table.rows() > 0;
        }))
      throw InputError(fmt::format("points: none of them is of {}", gpus.front().name));
    return result;
  } catch (const InputError& e) {
    const std::string sentence = e.what();
    if (!with_points || sentence.rfind("points", 0) != 0) throw;
    throw InputError(file->second + sentence.substr(std::string_view("points").size()));
  }
}

void note_unused_facts(Result& result, const Request& request, bool explain) {
  const bool one_way = std::all_of(request.inputs.begin(), request.inputs.end(), [](const Axis& axis) {
    return axis.values.size() == 1 || axis.values.front().text.empty();
  });
  for (const Axis& axis : request.facts) {
    const bool used =
        std::any_of(result.derivations.begin(), result.derivations.end(), [&](const Derivation& d) {
          return std::any_of(d.steps.begin(), d.steps.end(), [&](const Step& s) {
            const bool follows = s.is_fact && s.grade != Grade::known;
            return s.symbol == axis.name || (follows && goes_with(s.symbol, axis.name));
          });
        });
    if (!used && one_way)
      result.notes.push_back(fmt::format("--set {}: nothing in this answer rests on it.", axis.name));
  }
  if (!explain) result.derivations.clear();
}

std::string asked_in_words(const Model& model, std::span<const Gpu> gpus) {
  std::string text(model.info.name);
  for (const Gpu& gpu : gpus) text += (&gpu == &gpus.front() ? " on " : ", ") + gpu.name;
  return text;
}

} // namespace perfmodel::cli
