// perfmodel compare before.json after.json: what changed between two runs or two predictions.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/given_share.hpp"
#include "cli/option_groups.hpp"
#include "hwdb/profile_file.hpp"
#include "hwdb/result_file.hpp"
#include "hwdb/text_file.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"
#include "models/validation/compare.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace perfmodel::cli {

namespace {

struct CompareOptions {
  std::string before, after, tolerance = "5%";
  AnswerOptions answer;
};

// A run of probes as tables that can be joined: each probe's table, and its constants.
Result as_result(const Record& record) {
  if (record.measurements.empty()) return record.result;
  Result result{.kind = Kind::measured, .title = record.gpu};
  for (const Measurement& m : record.measurements) {
    if (!m.verified || !m.invalid.empty()) continue; // its numbers are none
    Table table = m.table;
    table.title = m.probe;
    if (table.rows() > 0) result.tables.push_back(std::move(table));
    for (const Constant& c : m.constants) {
      const KeyInfo* key = find_key(c.path);
      Table constant{.title = c.path};
      constant.columns.push_back(
          {.name = "fact", .role = Role::key, .cells = std::vector<std::string>{c.path}});
      constant.columns.push_back({.name = "value",
                                  .unit = {base_symbol(key->dimension), key->dimension},
                                  .role = Role::measured,
                                  .cells = std::vector<double>{c.value}});
      result.tables.push_back(std::move(constant));
    }
  }
  return result;
}

Result read(const CompareOptions& options, const std::string& file) {
  const std::string text = hwdb::read_text(file, hwdb::most_result_bytes);
  if (text.rfind('{', 0) != 0 && hwdb::is_profile(text))
    throw InputError(fmt::format("{}: a profile of ncu's, not a result file; two profiles are compared by "
                                 "'perfmodel roofline --hw GPU --profile {} --before {}'",
                                 file, options.after, options.before));
  return as_result(hwdb::record_from_json(text, file));
}

void run(Context& context, const CompareOptions& options) {
  options.answer.check();
  const double tolerance = given_share("--tolerance", options.tolerance);
  const Result before = read(options, options.before), after = read(options, options.after);
  Result result = compare(before, after, tolerance);
  if (before.kind == Kind::measured && before.title != after.title)
    result.notes.push_back(
        fmt::format("the first run is of {}, the second of {}", before.title, after.title));
  give(context, options.answer, result);
  const std::size_t worse = worse_rows(result), changed = changed_rows(result);
  context.err << fmt::format("{} of {} numbers worse by more than {}", worse, result.tables.front().rows(),
                             format_quantity(tolerance, {"fraction", {}}));
  if (changed > 0) context.err << fmt::format(", {} changed of which neither way is better", changed);
  context.err << '\n';
  context.exit_code = worse + changed > 0 ? 1 : 0;
}

} // namespace

void add_compare_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = program.add_subcommand(
      "compare", "two result files side by side; exit 1 when the second is worse, or differs in what may be "
                 "either");
  command->option_defaults()->group(option_group::question);
  command->add_option("before", options->before, "result file (JSON)")->type_name(file_value)->required();
  command->add_option("after", options->after, "result file (JSON)")->type_name(file_value)->required();
  command
      ->add_option("--tolerance", options->tolerance,
                   "change that still counts as the same, such as 3% (default: 5%)")
      ->type_name(number_value);
  options->answer.add_to(*command, false);
  options->answer.add_all_to(*command);
  command->footer(examples_text({"perfmodel balance --hw h200 -o before.json",
                                 "perfmodel balance --hw h200 --set clock=1.9GHz -o after.json",
                                 "perfmodel compare before.json after.json --tolerance 10%"}));
  command->callback([&context, options] { run(context, *options); });
}

} // namespace perfmodel::cli
