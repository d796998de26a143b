// A model's subcommand, made from its declaration: every input is an option.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "cli/bandwidths_named.hpp"
#include "cli/beside.hpp"
#include "cli/chosen_gpus.hpp"
#include "cli/compared_listings.hpp"
#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/given_memory.hpp"
#include "cli/kernel_launches.hpp"
#include "cli/launch_picture.hpp"
#include "cli/model_inputs.hpp"
#include "cli/option_groups.hpp"
#include "cli/profile.hpp"
#include "cli/progress.hpp"
#include "cli/published.hpp"
#include "cli/slips.hpp"
#include "cli/stream/all_and_ends.hpp"
#include "cli/stream/counted.hpp"
#include "cli/template_inputs.hpp"
#include "models/bounds/roofline.hpp"
#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/what_if.hpp"
#include "models/default_sweeps.hpp"
#include "models/drawings/drawings.hpp"
#include "models/validation/validate.hpp"
#include "models/views/kernel.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::cli {

namespace {

struct ModelOptions {
  HardwareOptions hardware;
  AnswerOptions answer;
  ProfileOptions profile;
  ModelInputs inputs;
  TemplateInputs of_template; // of `kernel`
  bool explain = false, bands = false;
  std::string draw;                // the name of a drawing, instead of tables and their chart
  CLI::Option* measured = nullptr; // none where no GPU is asked about
  bool published = false;
};

bool takes_template(const Model& model) { return model.info.positional == "listing"; }

Request request_of(Context& context, const Model& model, const ModelOptions& options) {
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

// Of GPUs that were chosen by what they are, those that have no answer are left out, and said to be.
std::vector<Gpu> that_answer(Context& context, const Model& model, std::vector<Gpu> gpus, Request request,
                             const HardwareOptions& hardware, Progress& progress) {
  if (!has_choice(hardware.hw)) return gpus;
  request.quick_grades = request.points_only = true;
  request.bands = false;
  std::string why;
  std::erase_if(gpus, [&](const Gpu& gpu) {
    progress.say(fmt::format("does {} answer?", gpu.name));
    try {
      predict(model, std::span(&gpu, 1), request);
      return false;
    } catch (const InputError& e) {
      why = e.what();
      context.err << fmt::format("left out: {}: {}\n", gpu.name, why);
      return true;
    }
  });
  if (gpus.empty()) throw InputError(fmt::format("--hw: none of these GPUs has an answer: {}", why));
  return gpus;
}

// A picture of one point would be one bar: it is of the model's default sweep, where the question allows
// that.
void sweep_for_picture(const Model& model, std::span<const Gpu> gpus, const AnswerOptions& answer,
                       Request& request) {
  const auto is_swept = [](const Axis& axis) { return axis.values.size() > 1; };
  const bool asked =
      std::any_of(request.inputs.begin(), request.inputs.end(),
                  [&](const Axis& axis) { return is_swept(axis) || axis.name == model.info.x; }) ||
      std::any_of(request.facts.begin(), request.facts.end(), is_swept);
  const std::optional<Axis> sweep = default_sweep(model);
  if (asked || !sweep || !answer.is_usual_picture()) return;
  Request swept = request;
  swept.inputs.push_back(*sweep);
  Request quick = swept;
  quick.quick_grades = quick.points_only = true, quick.bands = false;
  try {
    predict(model, gpus, quick);
  } catch (const InputError&) { // an input has taken its place, such as an expression that of a stride
    return;
  }
  request = std::move(swept);
}

// A chart is of all rows at once, Markdown is one text, and advice is numbered. Points from a file are held
// anyway.
bool needs_whole_tables(const Model& model, const ModelOptions& options) {
  const auto points = options.inputs.given.find("points");
  const bool advises = std::find(model.outputs.begin(), model.outputs.end(), "advice") != model.outputs.end();
  return options.answer.draws() ||
         (options.answer.all && !options.answer.is_data() && (!options.answer.is_text() || advises)) ||
         (points != options.inputs.given.end() && !points->second.empty());
}

// The prediction; what is wrong in a points file is said with its name.
Result answer(const Model& model, std::span<const Gpu> gpus, const Request& request,
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

// A fact that was set and that nothing rests on was probably meant to be another one. Several words
// (precisions, levels) may rest on different facts, and the derivation is of the first: then nothing is said.
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

// A picture of several devices has one roof for each, whatever was asked.
void say_what_is_not_drawn(Context& context, const Model& model, const Request& request,
                           std::size_t devices) {
  const auto precisions = std::find_if(request.inputs.begin(), request.inputs.end(),
                                       [](const Axis& axis) { return axis.name == "precision"; });
  if (model.info.chart == ChartKind::roofline && devices > 1 && precisions != request.inputs.end() &&
      precisions->values.size() > 1)
    context.err << "the picture shows one precision, which its title names: of several devices there is one "
                   "roof each; draw the others with --precision of their own\n";
}

// What the rows beside the measurements rest on is named too.
void add_constants(Result& result, std::vector<Step> more) {
  for (Step& c : more)
    if (std::none_of(result.constants.begin(), result.constants.end(),
                     [&](const Step& known) { return known.symbol == c.symbol && known.place == c.place; }))
      result.constants.push_back(std::move(c));
}

// "kernel on h200, m2090".
std::string asked_in_words(const Model& model, std::span<const Gpu> gpus) {
  std::string text(model.info.name);
  for (const Gpu& gpu : gpus) text += (&gpu == &gpus.front() ? " on " : ", ") + gpu.name;
  return text;
}

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
      inputs.push_back(spaced(option.name) + " " + text);
  for (const std::string& fact : options.hardware.set) inputs.push_back(fact);
  return inputs;
}

// A drawing is of one device, and stands alone.
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
  const Drawing drawing = draw(model.info.name, options.draw, gpus.empty() ? nobody : gpus.front(),
                               request_of(context, model, options));
  progress.end();
  give(context, options.answer, drawing, inputs_of(model, gpus, options));
}

// softmax,softmax-online: the same question about each, side by side.
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
    Result result = answer(model, gpus, request, one, nullptr);
    note_unused_facts(result, request, options.explain);
    answers.emplace_back(listing, std::move(result));
  }
  Result result = compared_listings(std::move(answers));
  name_bandwidths(result, gpus, fact_axes(options.hardware.set));
  progress.end();
  give(context, options.answer, std::move(result), {});
}

void run(const Model& model, Context& context, ModelOptions& options) {
  options.answer.check();
  if (takes_template(model))
    if (const std::vector<std::string> listings = several_listings(options.inputs.given["listing"]);
        !listings.empty())
      return run_several(model, context, options, listings);
  if (!options.draw.empty()) {
    if (takes_template(model)) options.of_template.fill(context, options.inputs.given);
    return give_drawing(model, context, options);
  }
  if (options.explain && !options.answer.shows_steps())
    context.err << "--explain shows in text and JSON, not in this format\n";
  check_launches_alone(options.inputs.given);
  if (takes_template(model)) options.of_template.fill(context, options.inputs.given);
  const std::optional<GivenProfile> profile =
      given_profile(model, options.profile, options.hardware.measured_file, options.inputs.given);
  Request request = request_of(context, model, options);
  const bool is_profile = profile && options.profile.file.empty(); // what --measured names
  const bool beside = options.measured != nullptr && options.measured->count() > 0 && !is_profile;
  Progress progress(context);
  const std::vector<Gpu> gpus = that_answer(context, model, devices_asked_for(context, model, options),
                                            request, options.hardware, progress);
  const std::string asked = asked_in_words(model, gpus);
  progress.say(asked);
  sweep_for_picture(model, gpus, options.answer, request);
  const bool alone = !beside && !options.published && !profile;
  const bool is_busy = alone && options.answer.is_usual_picture() && ask_what_is_busy(model, gpus, request);
  AllAndEnds rows;
  RowSink* sink = options.answer.is_data()                         ? static_cast<RowSink*>(&rows.all)
                  : options.answer.all && options.answer.is_text() ? static_cast<RowSink*>(&rows)
                                                                   : &rows.ends;
  if (beside || options.published || profile || needs_whole_tables(model, options)) sink = nullptr;
  SlipsMet slips(model.info.name, gpus, context.database().slips());
  SlipLookout passing(*(sink != nullptr ? sink : &rows.ends), slips);
  CountedRows counted(passing, progress, asked);
  Result result = answer(model, gpus, request, options, sink != nullptr ? &counted : nullptr);
  note_unused_facts(result, request, options.explain);
  for (const Axis& axis : request.inputs) {
    if (axis.name == "launches") note_launches(result, axis.values.front().text);
    if (axis.name == "arg")
      for (const Value& value : axis.values) note_wide_elements(result, value.text);
  }
  for (const Table& table : result.tables) slips.look(table);
  slips.note(result);
  if (alone && options.answer.is_usual_picture()) name_kernels_as_written(result);
  if (is_busy) draw_what_is_busy(result);
  if (profile)
    add_profile(context, model, gpus, *profile, options.profile, options.inputs.given,
                options.answer.is_data(), result);
  if (options.answer.draws()) say_what_is_not_drawn(context, model, request, gpus.size());
  std::vector<Series> series;
  const auto set_beside = [&](const Gpu& gpu, std::vector<Series> all, const char* what) {
    progress.say(fmt::format("{} beside each {} of {}", model.info.name, what, gpu.name));
    std::vector<Series> own = series_asked_for(model, std::move(all), request);
    if (own.empty()) {
      context.err << fmt::format("no such {} of {} on {} is there\n", what, model.info.name, gpu.name);
      return;
    }
    // As validate does: measurements are held against what other probes measured.
    Result judged = validate(gpu, own, context.database().evidence());
    for (Table& table : judged.tables)
      if (table.title != not_scored_title && table.title != evidence_title)
        result.tables.push_back(std::move(table));
    const char* did = own.front().kind == Kind::published ? "published of" : "measured on";
    for (const std::string& verdict : judged.verdict)
      result.verdict.push_back(fmt::format("{} {}: {}", did, gpu.name, verdict));
    add_constants(result, std::move(judged.constants));
    for (Series& s : own) series.push_back(std::move(s));
  };
  for (const Gpu& gpu : gpus) {
    if (beside)
      set_beside(gpu, measured_series(context, gpu, options.hardware.measured_file, model.info.name),
                 "measurement");
    if (options.published)
      set_beside(gpu, published_series(context, gpu, model.info.name), "published number");
  }
  if (const std::string kept = facts_kept(result.constants); !kept.empty()) result.notes.push_back(kept);
  name_bandwidths(result, gpus, request.facts);
  progress.end();
  if (rows.all.tables() > 0) return give(context, options.answer, result, rows.all);
  if (model.info.chart != ChartKind::roofline) draw_what_was_measured(result, series);
  give(context, options.answer, std::move(result), charted(model, request, series));
}

std::string help_of(const std::vector<DrawingKind>& kinds) {
  std::string text = "a picture that teaches, into -o, in place of the chart";
  for (const DrawingKind& kind : kinds)
    text += fmt::format("{} {}: {}", &kind == &kinds.front() ? ":" : ";", kind.name, kind.help);
  return text;
}

} // namespace

void add_model_command(CLI::App& program, Context& context, const Model& model) {
  auto options = std::make_shared<ModelOptions>();
  CLI::App* command = program.add_subcommand(std::string(model.info.name), std::string(model.info.summary));
  command->group("Models");
  command->footer(fmt::format("{}   [{}]\n\n{}", model.info.equation, model.info.source,
                              examples_text(examples_of(model))));
  if (model.info.gpu != GpuUse::none) options->hardware.add_to(*command, model.info.gpu == GpuUse::needed);
  options->inputs.add_to(*command, model);
  if (takes_template(model)) options->of_template.add_to(*command);
  command->option_defaults()->group(option_group::reasons);
  command->add_flag("--explain", options->explain, "formula, numbers put in, and the source of each");
  if (model.info.gpu != GpuUse::none) {
    command->add_flag("--bands", options->bands,
                      "how far the costs leave the answer open: 5 to 95 % of 32 draws of them");
    command->option_defaults()->group(option_group::measured);
    options->measured =
        command
            ->add_option(
                "--measured", options->hardware.measured_file,
                model.info.name == KernelModel::info.name
                    ? "set measurements beside the predictions: this file, a run of our probes or "
                      "what ncu --csv or a benchmark (nvbench, Google Benchmark, BabelStream) wrote, else "
                      "the committed ones"
                    : "set measurements beside the predictions: this file, else the committed ones")
            ->expected(0, 1);
    command->add_flag("--published", options->published,
                      "set what lectures and papers print beside the predictions, in tables and chart");
  }
  if (model.info.name == Roofline::info.name) {
    command->add_option(
        "--profile", options->profile.file,
        "what ncu --csv, nvbench, Google Benchmark or BabelStream wrote: each kernel under the "
        "roofs, and which binds it");
    command->add_option("--top", options->profile.top,
                        "of a profile as many kernels, those that take most time; default 20, of data all");
    command->add_flag(
        "--every-level", options->profile.every_level,
        "of a profile a point of each kernel at every memory level, not only the nearest to its "
        "roof");
  }
  if (model.info.name == KernelModel::info.name)
    command->add_option("--fail-over", options->profile.fail_over,
                        "exit 1 where a time is off by more than this, such as 10%, from that of the profile "
                        "that --measured names");
  options->answer.add_to(*command, true);
  if (const std::vector<DrawingKind> kinds = drawings_of(model.info.name); !kinds.empty())
    command->add_option("--draw", options->draw, help_of(kinds))->type_name(drawing_value);
  options->answer.add_all_to(*command);
  command->callback([&context, &model, options] { run(model, context, *options); });
}

} // namespace perfmodel::cli
