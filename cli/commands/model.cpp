// A model's subcommand, made from its declaration: every input is an option.
#include "commands.hpp"

#include "cli/bandwidths_named.hpp"
#include "cli/beside.hpp"
#include "cli/commands/model/alike_gpus.hpp"
#include "cli/commands/model/beside_answer.hpp"
#include "cli/commands/model/broadcast_said.hpp"
#include "cli/commands/model/long_sweep.hpp"
#include "cli/commands/model/many_gpus_said.hpp"
#include "cli/commands/model/numbers_drawn.hpp"
#include "cli/commands/model/one_bar_each.hpp"
#include "cli/commands/model/pictures.hpp"
#include "cli/commands/model/question.hpp"
#include "cli/commands/model/several_listings.hpp"
#include "cli/commands/model/view_said.hpp"
#include "cli/compared_listings.hpp"
#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/given_memory.hpp"
#include "cli/kept.hpp"
#include "cli/kernel_launches.hpp"
#include "cli/launch_picture.hpp"
#include "cli/model_error_said.hpp"
#include "cli/option_groups.hpp"
#include "cli/profiled_kernels.hpp"
#include "cli/slips.hpp"
#include "cli/stream/all_and_ends.hpp"
#include "cli/stream/counted.hpp"
#include "models/bounds/roofline.hpp"
#include "models/core/error.hpp"
#include "models/drawings/drawings.hpp"
#include "models/views/kernel.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::cli {

namespace {

// A chart is of all rows at once, Markdown is one text, and advice is numbered. Points from a file are held
// anyway.
bool needs_whole_tables(const Model& model, const ModelOptions& options) {
  const auto points = options.inputs.given.find("points");
  const bool advises = std::find(model.outputs.begin(), model.outputs.end(), "advice") != model.outputs.end();
  return options.answer.draws() ||
         (options.answer.all && !options.answer.is_data() && (!options.answer.is_text() || advises)) ||
         (points != options.inputs.given.end() && !points->second.empty());
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
  const bool held = beside || options.published || profile || needs_whole_tables(model, options);
  Progress progress(context);
  std::vector<Gpu> gpus = devices_asked_for(context, model, options);
  refuse_long_sweep(model, gpus, request, held);
  gpus = that_answer(context, model, std::move(gpus), request, options.hardware, progress);
  const std::string asked = asked_in_words(model, gpus);
  progress.say(asked);
  const bool alone = !beside && !options.published && !profile;
  const bool one_bar_each = alone && needs_one_bar_each(model, gpus, request, options.answer);
  const std::string over = one_bar_each ? "" : sweep_for_picture(model, gpus, options.answer, request);
  if (one_bar_each) {
    gpus = by_year(std::move(gpus));
    ask_for_specified(model, request);
  }
  const bool is_of_a_view =
      alone && options.answer.is_usual_picture() && asks_for_bars_of_a_view(model, gpus, request);
  AllAndEnds rows;
  RowSink* sink = options.answer.is_data()                         ? static_cast<RowSink*>(&rows.all)
                  : options.answer.all && options.answer.is_text() ? static_cast<RowSink*>(&rows)
                                                                   : &rows.ends;
  if (held) sink = nullptr;
  SlipsMet slips(model.info.name, gpus, context.database().slips());
  SlipLookout passing(*(sink != nullptr ? sink : &rows.ends), slips);
  const ModelErrorSaid missed(std::string(model.info.name),
                              options.bands ? kept_errors(context) : hwdb::KeptErrors{});
  WithModelError with_error(passing, missed);
  CountedRows counted(options.bands ? static_cast<RowSink&>(with_error) : passing, progress, asked);
  Result result = answer_of(model, gpus, request, options, sink != nullptr ? &counted : nullptr);
  name_gpus_once(gpus, result);
  say_view(model, request, gpus, result);
  say_broadcast(model, request, result);
  if (options.answer.chosen_format() != "json") say_many_at_once(gpus, result);
  if (options.bands) missed.add_to(result, gpus);
  if (!over.empty()) draw_over(over, model, result);
  note_unused_facts(result, request, options.explain);
  for (const Axis& axis : request.inputs) {
    if (axis.name == "launches") note_launches(result, axis.values.front().text);
    if (axis.name == "arg")
      for (const Value& value : axis.values) note_wide_elements(result, value.text);
  }
  for (const Table& table : result.tables) slips.look(table);
  slips.note(result);
  if (is_of_a_view) draw_view(result);
  if (options.answer.is_usual_picture()) draw_what_has_numbers(result);
  if (one_bar_each) {
    const std::string usual_x = result.chart.x;
    if (const std::string drawn = draw_one_bar_each(model, result, gpus); !drawn.empty())
      context.err << fmt::format("the picture of so many GPUs is of {} alone; --chart-x {} draws all\n",
                                 drawn, usual_x);
  } else if (alone && needs_alike_joined(result, gpus.size(), options.answer)) {
    options.answer.figure.note = join_alike(result);
    if (!options.answer.figure.note.empty())
      context.err << "GPUs with the same numbers are drawn as one; --chart-series gpu draws each\n";
  }
  if (profile)
    add_profile(context, model, gpus, *profile, options.profile, options.inputs.given,
                options.answer.is_data(), result);
  if (profile && options.answer.draws()) options.answer.figure.note = kernels_without_a_point(result);
  if (options.answer.draws() && options.answer.figure.note.empty())
    options.answer.figure.note =
        why_above_the_pins(model, gpus, options.answer.y.empty() ? result.chart.y : options.answer.y, result);
  if (options.answer.draws()) say_what_is_not_drawn(context, model, request, gpus.size());
  BesideAnswer compared(context, model, request, options.hardware, progress, result);
  for (const Gpu& gpu : gpus) {
    if (beside) compared.set_measured(gpu);
    if (options.published) compared.set_published(gpu);
  }
  if (const std::string kept = facts_kept(result.constants); !kept.empty()) result.notes.push_back(kept);
  name_bandwidths(result, gpus, request.facts);
  progress.end();
  if (rows.all.tables() > 0) return give(context, options.answer, result, rows.all);
  if (!options.answer.draws()) return give(context, options.answer, std::move(result));
  if (model.info.chart != ChartKind::roofline) draw_what_was_measured(result, compared.series());
  const std::vector<Result> drawn_with_it = charted(model, gpus, request, compared.series(), result);
  give(context, options.answer, std::move(result), drawn_with_it);
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
  command->footer([&context, &model] {
    return fmt::format("{}   [{}]\n\n{}{}", model.info.equation, model.info.source,
                       takes_template(model) ? template_lines(context) + "\n" : "",
                       examples_text(examples_of(model)));
  });
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
            ->type_name(file_value)
            ->expected(0, 1);
    command->add_flag("--published", options->published,
                      "set what lectures and papers print beside the predictions, in tables and chart");
  }
  if (model.info.name == Roofline::info.name) {
    command
        ->add_option("--profile", options->profile.file,
                     "what ncu --csv, nvbench, Google Benchmark or BabelStream wrote: each kernel under the "
                     "roofs, and which binds it")
        ->type_name(file_value);
    command
        ->add_option("--top", options->profile.top,
                     "of a profile as many kernels, those that take most time; default 20, of data all")
        ->type_name(number_value);
    command->add_flag(
        "--every-level", options->profile.every_level,
        "of a profile a point of each kernel at every memory level, not only the nearest to its "
        "roof");
    command
        ->add_option("--before", options->profile.before,
                     "of a profile: an earlier one of the same program, beside which each kernel's time "
                     "stands")
        ->type_name(file_value);
    command
        ->add_option("--fail-over", options->profile.fail_over,
                     "exit 1 where a kernel takes longer by more than this, such as 10%, than in the "
                     "profile that --before names")
        ->type_name(number_value);
  }
  if (model.info.name == KernelModel::info.name)
    command
        ->add_option("--fail-over", options->profile.fail_over,
                     "exit 1 where a time is off by more than this, such as 10%, from that of the profile "
                     "that --measured names")
        ->type_name(number_value);
  options->answer.add_to(*command, true);
  if (const std::vector<DrawingKind> kinds = drawings_of(model.info.name); !kinds.empty())
    command->add_option("--draw", options->draw, help_of(kinds))->type_name(drawing_value);
  options->answer.add_all_to(*command);
  command->callback([&context, &model, options] { run(model, context, *options); });
}

} // namespace perfmodel::cli
