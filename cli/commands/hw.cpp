// perfmodel hw: the hardware database, looked at, checked, held side by side, and written for the GPU in this
// machine.
#include "commands.hpp"

#include "cli/commands/hw/hw.hpp"
#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/option_groups.hpp"

#include <CLI/CLI.hpp>

namespace perfmodel::cli {

void add_hw_command(CLI::App& program, Context& context) {
  CLI::App* group = program.add_subcommand(
      "hw", "the hardware database: list, keys, show, costs, runs, check, diff, detect");
  group->require_subcommand(1);
  const auto add = [&](const char* name, const char* help, void (*action)(Context&, const hw::Options&),
                       const std::vector<std::string>& examples) {
    auto options = std::make_shared<hw::Options>();
    CLI::App* command = group->add_subcommand(name, help);
    command->footer(examples_text(examples));
    command->option_defaults()->group(option_group::question);
    command->callback([&context, options, action] { action(context, *options); });
    return std::pair{command, options};
  };
  const auto with_answer = [](auto added) {
    added.second->answer.add_to(*added.first, false);
    added.first->option_defaults()->group(option_group::question);
    return added;
  };
  auto [list_command, list_options] = with_answer(
      add("list", "every GPU with its peaks, or those for which something holds", hw::list,
          {"perfmodel hw list", "perfmodel hw list 'cc>=8&memory>=40GB'", "perfmodel hw list --format csv"}));
  list_command
      ->add_option("gpus,--hw", list_options->name,
                   "which: names, or cc>=8&year>=2020&memory>=40GiB, with commas between (default: all)")
      ->type_name(gpus_value);
  with_answer(add("keys", "every fact there is: unit, range, meaning, probe, models that read it", hw::keys,
                  {"perfmodel hw keys"}));
  auto [show_command, show_options] =
      with_answer(add("show", "every fact of a GPU with its source", hw::show,
                      {"perfmodel hw show h200", "perfmodel hw show h200 dram.bandwidth",
                       "perfmodel hw show m2090 --format json"}));
  show_command->add_option("gpu", show_options->name, "name, alias or YAML file")
      ->required()
      ->type_name(gpu_value);
  show_command
      ->add_option("fact", show_options->facts,
                   "only these: dram.bandwidth, or all that begin so: dram (default: all)")
      ->type_name(fact_name_value);
  auto [costs_command, costs_options] =
      with_answer(add("costs", "what each cost is taken to be on a GPU, and how far to trust it", hw::costs,
                      {"perfmodel hw costs h200", "perfmodel hw costs m2090 --set clock=1GHz"}));
  costs_command->add_option("gpu", costs_options->name, "name, alias or YAML file")
      ->required()
      ->type_name(gpu_value);
  costs_command
      ->add_option("--set", costs_options->set,
                   "with this fact as well, such as clock=1GHz, and what goes with it")
      ->type_name(fact_value)
      ->allow_extra_args(false);
  auto [runs_command, runs_options] =
      with_answer(add("runs", "what was measured on a GPU: how many points, when, and how", hw::runs,
                      {"perfmodel hw runs h200", "perfmodel hw runs h100-sxm --format csv"}));
  runs_command->add_option("gpu", runs_options->name, "name, alias or YAML file")
      ->required()
      ->type_name(gpu_value);
  auto [check_command, check_options] =
      add("check", "check a GPU's YAML file", hw::check, {"perfmodel hw check hwdb/gpus/apple-m1.yaml"});
  check_command->add_option("file", check_options->name, "YAML file")->type_name(file_value)->required();
  auto [diff_command, diff_options] =
      with_answer(add("diff", "facts in which two GPUs differ", hw::diff, {"perfmodel hw diff m2090 h200"}));
  diff_command->add_option("first", diff_options->name, "name, alias or YAML file")
      ->required()
      ->type_name(gpu_value);
  diff_command->add_option("second", diff_options->other, "name, alias or YAML file")
      ->required()
      ->type_name(gpu_value);
  diff_command->add_flag("--all", diff_options->all, "equal facts as well");
  auto [detect_command, detect_options] = add("detect", "write a YAML file of the GPU in this machine",
                                              hw::detect, {"perfmodel hw detect -o gpu.yaml"});
  detect_command->add_option("-o,--output", detect_options->answer.file, "file to write (default: stdout)")
      ->type_name(file_value);
  detect_command
      ->add_option("--measured", detect_options->measured_file,
                   "take measured figures from this run of 'perfmodel measure'")
      ->type_name(file_value);
  group->footer(
      examples_text({"perfmodel hw list", "perfmodel hw show h200", "perfmodel hw diff m2090 h200"}));
}

} // namespace perfmodel::cli