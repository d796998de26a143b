#include "several_listings.hpp"

#include "view_said.hpp"

#include "cli/bandwidths_named.hpp"
#include "cli/compared_listings.hpp"
#include "cli/kept.hpp"
#include "cli/model_error_said.hpp"
#include "models/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <utility>

namespace perfmodel::cli {

void run_several(const Model& model, Context& context, const ModelOptions& options,
                 const std::vector<std::string>& listings) {
  for (const char* alone : {"kernel", "launches", "view"})
    if (const auto given = options.inputs.given.find(alone);
        given != options.inputs.given.end() && !given->second.empty())
      throw InputError(fmt::format("--{} is of one listing, not of {}", alone, listings.size()));
  if (!options.draw.empty() || options.measured->count() > 0 || options.published)
    throw InputError("--draw, --measured and --published are of one listing");
  std::vector<std::pair<std::string, Result>> answers;
  std::vector<Gpu> gpus;
  Progress progress(context);
  for (const std::string& listing : listings) {
    ModelOptions one = options;
    one.inputs.given["listing"] = listing;
    one.of_template.fill(context, one.inputs.given);
    Request request = request_of(context, model, one);
    for (const Axis& axis : request.inputs)
      if (axis.values.size() > 1)
        throw InputError(
            fmt::format("listings are compared at one point: --{} has several values", axis.name));
    if (gpus.empty())
      gpus = that_answer(context, model, devices_asked_for(context, model, one), request, one.hardware,
                         progress);
    progress.say(fmt::format("{} on {}", listing, gpus.front().name));
    Result result = answer_of(model, gpus, request, one, nullptr);
    name_gpus_once(gpus, result);
    note_unused_facts(result, request, options.explain);
    answers.emplace_back(listing, std::move(result));
  }
  Result result = compared_listings(std::move(answers));
  if (options.bands) ModelErrorSaid(std::string(model.info.name), kept_errors(context)).add_to(result, gpus);
  name_bandwidths(result, gpus, fact_axes(options.hardware.set));
  progress.end();
  give(context, options.answer, std::move(result), {});
}

} // namespace perfmodel::cli
