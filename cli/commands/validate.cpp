// perfmodel validate --hw h200: prediction, measurement and error side by side, and the ledger.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "models/core/error.hpp"
#include "models/validation/validate.hpp"

#include <fmt/format.h>

namespace perfmodel::cli {

namespace {

struct ValidateOptions {
  HardwareOptions hardware;
  AnswerOptions answer;
};

void run(Context& context, ValidateOptions& options) {
  options.answer.check();
  const std::vector<Gpu> gpus = devices(context, options.hardware, true);
  if (gpus.size() != 1) throw InputError("validate takes one GPU at a time");
  Gpu gpu = gpus.front();
  for (const Axis& axis : fact_axes(options.hardware.set)) {
    if (axis.values.size() != 1) throw InputError("validate: --set takes one value");
    gpu = axis.values[0].text.empty()
              ? with_fact(std::move(gpu), axis.name, axis.values[0].number)
              : with_fact(std::move(gpu), axis.name, std::string_view(axis.values[0].text));
  }
  std::vector<Series> series = context.database().published(gpu.name);
  for (Series& s : measured_series(context, gpu, options.hardware.measured_file))
    series.push_back(std::move(s));
  if (series.empty())
    throw InputError(fmt::format("nothing is published about {} and nothing measured on it", gpu.name));
  for (const std::string_view name : {any_gpu, the_host})
    for (Series& s : context.database().published(std::string(name))) series.push_back(std::move(s));
  const Result result = validate(gpu, series);
  give(context, options.answer, result);
  const Score score = score_of(result);
  context.err << fmt::format("{} of {} rows out of tolerance\n", score.out, score.scored);
  context.exit_code = score.out > 0 ? 1 : 0;
}

} // namespace

void add_validate_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<ValidateOptions>();
  CLI::App* command = program.add_subcommand(
      "validate", "predicted, measured and error side by side; exit 1 when out of tolerance");
  options->hardware.add_to(*command, true);
  command->add_option("--measured", options->hardware.measured_file,
                      "a run of 'perfmodel measure' (default: the committed ones)");
  options->answer.add_to(*command, false);
  options->answer.add_all_to(*command);
  command->callback([&context, options] { run(context, *options); });
}

} // namespace perfmodel::cli
