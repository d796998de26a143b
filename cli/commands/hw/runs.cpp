// perfmodel hw runs: what was measured on a GPU: how many points, when, and under which conditions.
#include "hw.hpp"

#include "cli/gpu_names.hpp"
#include "cli/measured_runs.hpp"

#include <fmt/format.h>

namespace perfmodel::cli::hw {

void runs(Context& context, const Options& options) {
  options.answer.check();
  const Gpu gpu = gpu_named(context, options.name);
  const std::vector<MeasuredRun> all = measured_runs(context.database(), gpu);
  if (all.empty())
    return give(
        context, options.answer,
        Result{.verdict = {fmt::format("Nothing of ours was measured on {}: its numbers are others', as "
                                       "'perfmodel hw show {}' says.",
                                       gpu.name, gpu.name)}});
  Table table{.title = fmt::format("runs on {}", gpu.name)};
  table.columns = {text_column("run", Role::key), text_column("date"),       number_column("points", {}),
                   number_column("sampled", {}),  text_column("samples"),    text_column("sm_clock"),
                   text_column("driver"),         text_column("cuda"),       number_column("probes", {}),
                   text_column("revision"),       text_column("measured_on")};
  for (const MeasuredRun& run : all) {
    append(table.columns[0], run.name);
    append(table.columns[1], run.date);
    append(table.columns[2], static_cast<double>(run.points));
    append(table.columns[3], static_cast<double>(run.sampled));
    append(table.columns[4], run.samples());
    append(table.columns[5], run.clocks());
    append(table.columns[6], run.driver);
    append(table.columns[7], run.cuda);
    append(table.columns[8], static_cast<double>(run.probes));
    append(table.columns[9], run.revision);
    append(table.columns[10], run.on);
  }
  table.notes.push_back(
      "A point is a row of a probe's table; sampled ones are the median of so many samples, "
      "which hwdb/measured has with clock, power and temperature, the others are counted, or "
      "timed by the probe as a whole.");
  give(context, options.answer, Result{.verdict = {runs_in_words(gpu, all)}, .tables = {std::move(table)}});
}

} // namespace perfmodel::cli::hw
