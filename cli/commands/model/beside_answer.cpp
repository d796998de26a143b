#include "beside_answer.hpp"

#include "cli/asked_series.hpp"
#include "cli/kept.hpp"
#include "cli/published.hpp"
#include "models/core/swept_facts.hpp"
#include "models/validation/validate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace perfmodel::cli {

namespace {

// What the database keeps of a GPU of its own, as it is: with facts set, or with the user's run, the question
// is another one.
PredictionStore kept_of(Context& context, const HardwareOptions& hardware, const Gpu& gpu) {
  if (!hardware.set.empty() || !hardware.measured_file.empty() || !context.database().is_own(gpu)) return {};
  std::optional<hwdb::KeptPredictions> kept = kept_predictions(context, gpu.name);
  return kept ? std::move(kept->store) : PredictionStore{};
}

// What the rows beside the measurements rest on is named too.
void add_constants(Result& result, std::vector<Step> more) {
  for (Step& c : more)
    if (std::ranges::none_of(result.constants, [&](const Step& known) { return same_constant(known, c); }))
      result.constants.push_back(std::move(c));
}

} // namespace

void BesideAnswer::set_measured(const Gpu& gpu) {
  set(gpu, measured_series(context_, gpu, hardware_.measured_file, model_.info.name), true);
}

void BesideAnswer::set_published(const Gpu& gpu) {
  set(gpu, published_series(context_, gpu, model_.info.name), false);
}

void BesideAnswer::set(const Gpu& gpu, std::vector<Series> all, bool is_measured) {
  const char* did = is_measured ? "measured on" : "published of";
  progress_.say(fmt::format("{} beside what was {} {}", model_.info.name, did, gpu.name));
  const bool has_others =
      std::any_of(all.begin(), all.end(), [&](const Series& s) { return s.model == model_.info.name; });
  AskedSeries own = series_asked_for(model_, std::move(all), request_,
                                     has_others ? kept_of(context_, hardware_, gpu) : PredictionStore{});
  if (own.series.empty()) {
    const std::string& run = hardware_.measured_file;
    context_.err << fmt::format("nothing about {}{} {} {} {}{}\n", model_.info.name,
                                has_others ? " that answers this question" : "", is_measured ? "was" : "is",
                                did, gpu.name, is_measured && !run.empty() ? " in " + run : "");
    return;
  }
  // With the facts that the question sets; of several values of one, the first.
  if (std::any_of(request_.facts.begin(), request_.facts.end(),
                  [](const Axis& axis) { return axis.values.size() > 1; }))
    context_.err << fmt::format("what was {} {} stands beside the first value of --set\n", did, gpu.name);
  const Gpu asked = detail::start_of(gpu, request_);
  // As validate does: measurements are held against what other probes measured.
  Result judged = validate(asked, own.series, context_.database().evidence(), {}, &own.kept);
  for (Table& table : judged.tables)
    if (table.title != not_scored_title && table.title != evidence_title)
      result_.tables.push_back(std::move(table));
  for (const std::string& verdict : judged.verdict)
    result_.verdict.push_back(fmt::format("{} {}: {}", did, gpu.name, verdict));
  add_constants(result_, std::move(judged.constants));
  for (Series& s : own.series) series_.push_back(std::move(s));
}

} // namespace perfmodel::cli
