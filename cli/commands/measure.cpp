// perfmodel measure: run the microkernels on the GPU in this machine and write what they found.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/format.hpp"
#include "cli/gpu_names.hpp"
#include "cli/measured_record.hpp"
#include "cli/option_groups.hpp"
#include "cli/probe_runs.hpp"
#include "cli/progress.hpp"
#include "cli/terminal_width.hpp"
#include "hwdb/result_file.hpp"
#include "hwdb/text_file.hpp"
#include "kernels/core/probe.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ostream>

namespace perfmodel::cli {

namespace {

struct MeasureOptions {
  std::vector<std::string> probes, without;
  std::string file, hw, limit, longest;
  bool list = false, quick = false, counters = false;
};

// The probes of these names, or all, but for some; with `counters`, of those that count.
std::vector<const kernels::Probe*> chosen(const std::vector<std::string>& names,
                                          const std::vector<std::string>& without, bool counters) {
  std::vector<const kernels::Probe*> found;
  std::vector<std::string> known;
  for (const kernels::Probe& p : kernels::probes()) known.emplace_back(p.name);
  for (const auto* words : {&names, &without})
    for (const std::string& name : *words)
      if (std::find(known.begin(), known.end(), name) == known.end())
        throw InputError(fmt::format("unknown probe '{}'{}; 'perfmodel measure --list' shows all",
                                     name.substr(0, 40), suggestion(name, known)));
  for (const kernels::Probe& p : kernels::probes()) { // in the order in which they are to run
    const bool named = std::find(names.begin(), names.end(), p.name) != names.end();
    if (std::find(without.begin(), without.end(), p.name) != without.end()) continue;
    if (counters && p.count == nullptr) {
      if (named)
        throw InputError(
            fmt::format("the probe {} counts nothing; 'perfmodel measure --list' shows which do", p.name));
    } else if (names.empty() || named) {
      found.push_back(&p);
    }
  }
  if (found.empty()) throw InputError("--without leaves no probe to run");
  return found;
}

void list(Context& context) {
  if (kernels::probes().empty()) throw kernels::NoKernels("");
  Table table{.title = "probes"};
  for (const char* name : {"probe", "model", "measures", "counts"})
    table.columns.push_back({.name = name, .role = Role::note, .cells = std::vector<std::string>{}});
  for (const kernels::Probe& p : kernels::probes()) {
    append(table.columns[0], std::string(p.name));
    append(table.columns[1], std::string(p.model));
    append(table.columns[2], std::string(p.measures));
    append(table.columns[3], std::string(p.counts));
  }
  context.out << to_text({.tables = {std::move(table)}}, text_columns());
}

unsigned time_limit(const std::string& text) {
  const double seconds = parse_quantity_as(text, unit_of<Seconds>());
  if (!(seconds >= 1 && seconds <= 3600))
    throw InputError("--time-limit " + text + ": 1 to 3600 s are expected");
  return static_cast<unsigned>(seconds);
}

void run(Context& context, const MeasureOptions& options) {
  if (options.list) return list(context);
  if (std::find(options.probes.begin(), options.probes.end(), "message") != options.probes.end()) {
    if (options.probes.size() > 1 || !options.without.empty() || options.counters || !options.hw.empty())
      throw InputError("measure message is of processes, not of a GPU: only -o, --quick, --longest and "
                       "--time-limit go with it");
    throw NeedsRanks();
  }
  if (!options.longest.empty()) throw InputError("--longest is of 'measure message' alone");
  const bool communicates = std::any_of(options.probes.begin(), options.probes.end(),
                                        [](const std::string& name) { return name.starts_with("nccl"); });
  if (!options.limit.empty() && !communicates)
    throw InputError("--time-limit is of 'measure message' and 'measure nccl' alone");
  const unsigned limit = options.limit.empty() ? kernels::Options{}.time_limit : time_limit(options.limit);
  const auto probes = kernels::probes().empty() ? std::vector<const kernels::Probe*>{}
                                                : chosen(options.probes, options.without, options.counters);
  if (!options.file.empty() && std::filesystem::path(options.file).extension() != ".json")
    throw InputError("-o " + options.file + ": a run is written as .json");
  const kernels::DetectedDevice device = kernels::detect();
  Record record{.version = context.version, .commit = context.commit};
  record.gpu = options.hw.empty() ? known_gpu(context, device.title, device.compute_capability)
                                  : gpu_named(context, options.hw).name;
  std::optional<Gpu> facts;
  if (!record.gpu.empty()) facts = context.database().gpu(record.gpu);
  Progress progress(context);
  const auto session =
      kernels::open_session({.quick = options.quick,
                             .counters = options.counters,
                             .time_limit = limit,
                             .revision = context.commit,
                             .gpu = facts ? &*facts : nullptr,
                             .progress = [&](std::string_view text) { progress.say(std::string(text)); }});
  if (!facts)
    context.err << fmt::format("{} is not in the database; 'perfmodel hw detect' writes a file for it\n",
                               device.title);
  std::size_t begun = 0;
  ProbeRuns runs = run_probes(probes, [&](const kernels::Probe& probe) {
    progress.say(fmt::format("{}/{} {}", ++begun, probes.size(), probe.name));
    return kernels::measure(probe, *session);
  });
  for (kernels::ProbeResult& result : runs.results) {
    if (record.measurements.empty()) {
      const kernels::Environment& e = result.environment;
      record.date = e.date;
      record.device = {{"name", e.device}, {"compute_capability", e.compute_capability}};
      if (e.ecc) record.device.emplace_back("ecc", *e.ecc ? "on" : "off");
      record.environment = {{"driver", e.driver}, {"cuda_runtime", e.cuda_runtime}};
      if (!e.counters.empty()) record.environment.emplace_back("counters", e.counters);
    }
    record.measurements.push_back(measurement_of(std::move(result)));
  }
  progress.end();
  for (const std::string& probe : runs.left_out) context.err << fmt::format("left out: {}\n", probe);
  record.result.verdict = {verdict_of(record)};
  if (!options.file.empty()) hwdb::write_whole(options.file, hwdb::to_json(record));
  context.out << to_text(summary_of(record), text_columns());
  if (runs.ended) std::rethrow_exception(runs.ended);
}

} // namespace

void add_measure_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<MeasureOptions>();
  CLI::App* command = program.add_subcommand("measure", "run the microkernels on the GPU in this machine");
  command->option_defaults()->group("What is measured");
  command
      ->add_option("probes", options->probes,
                   "which probes (default: all); message: between the ranks of mpirun")
      ->type_name(probe_value);
  command
      ->add_option("--without", options->without,
                   "probes to leave out, comma-separated: energy takes as long as many others")
      ->delimiter(',')
      ->type_name(probe_value)
      ->allow_extra_args(false);
  command->add_flag("--list", options->list, "what can be measured");
  command->add_flag("--quick", options->quick, "fewer points and samples: all in less than 30 s");
  command->add_flag("--counters", options->counters,
                    "count with the hardware's counters (CUPTI) instead of timing");
  command->option_defaults()->group(option_group::gpu);
  command->add_option("--hw", options->hw, "the database's name of this GPU, when it is not recognised")
      ->type_name(gpu_value);
  command->option_defaults()->group(option_group::answer);
  command->add_option("-o,--output", options->file, "write the run to this file (.json)")
      ->type_name(file_value);
  command->option_defaults()->group("Messages between ranks");
  command->add_option(
      "--longest", options->longest,
      "of 'measure message': longest message and vector, 1 MiB to 1 GiB (default: 1 GiB, or what "
      "memory allows)");
  command
      ->add_option("--time-limit", options->limit,
                   "of 'measure message' and 'measure nccl': seconds that a size may take before it says "
                   "which rank is missing")
      ->type_name(number_value);
  command->footer(examples_text({"perfmodel measure --list", "perfmodel measure --quick -o run.json",
                                 "perfmodel measure dram-read fma-rate"}));
  command->callback([&context, options] { run(context, *options); });
}

} // namespace perfmodel::cli
