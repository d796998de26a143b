#include "template_inputs.hpp"

#include "completion/values.hpp"
#include "help_text.hpp"
#include "of_option.hpp"
#include "option_groups.hpp"
#include "terminal_width.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace perfmodel::cli {

namespace {

// The grid follows from it.
std::optional<Shape> one_block(const std::string& given) {
  if (given.empty()) return std::nullopt;
  if (given.find(',') != std::string::npos)
    throw InputError("a template's grid follows from its block: one value is expected");
  return Shape::from_text(given);
}

// A grid that was given may leave a part of the work undone: a prediction of it is one of less work.
void say_what_is_left(Context& context, const KernelTemplate& chosen, const Bindings& sizes,
                      const std::string& given, const std::string& needed) {
  for (const Value& value : parse_values(*model("kernel").find("grid"), given))
    if (!covers(chosen, Shape::from_text(value.text), Shape::from_text(needed))) {
      context.err << fmt::format("--grid {} does not cover {}, which takes {}: it is a part of the work\n",
                                 value.text, sizes.text(), needed);
      return;
    }
}

// Arguments of one's own change no grid: what is meant is mostly another size. Throws InputError where they
// are too few or too many.
void check_arguments(Context& context, const std::string& name, const Bindings& sizes,
                     const std::string& given, const std::string& needed, bool has_grid) {
  const auto count = [](const std::string& list) { return 1 + std::count(list.begin(), list.end(), ','); };
  if (count(given) != count(needed))
    throw InputError(fmt::format("--arg: '{}' takes {} arguments, not {}: {}. --let sets its sizes, as in "
                                 "--let {}",
                                 name, count(needed), count(given), needed, sizes.text()));
  if (given != needed && !has_grid)
    context.err << fmt::format("--arg leaves the grid as it is for {}: --let changes both\n", sizes.text());
}

} // namespace

void TemplateInputs::add_to(CLI::App& command) {
  command.option_defaults()->group(option_group::launch);
  command
      .add_option_function<std::vector<std::string>>(
          "--let",
          [this](const std::vector<std::string>& words) { let = fmt::format("{}", fmt::join(words, ",")); },
          "sizes of a template: rows=4096,columns=1024")
      ->type_name(binding_value)
      ->allow_extra_args(false);
}

std::string TemplateInputs::sizes(Context& context, const std::string& listing) const {
  const std::vector<std::string> known = context.database().template_names();
  if (std::find(known.begin(), known.end(), listing) == known.end()) return let;
  const KernelTemplate chosen = context.database().kernel_template(listing);
  return of_option("--let", [&] { return sizes_of(chosen, Bindings::from_text(let)); }).text();
}

void TemplateInputs::fill(Context& context, std::map<std::string, std::string>& inputs) const {
  const hwdb::Database& database = context.database();
  const std::string name = inputs["listing"];
  const std::vector<std::string> known = database.template_names();
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    if (!let.empty())
      throw InputError(fmt::format("--let gives sizes to a template: '{}' is none; one of {} is expected",
                                   name.empty() ? "vector-copy" : name.substr(0, 60),
                                   fmt::join(known, ", ")));
    return;
  }
  const KernelTemplate chosen = database.kernel_template(name);
  inputs["listing"] = (database.root() / "kernels" / chosen.listing / "9.0.sass").string();
  if (!inputs["launches"].empty()) {
    if (!let.empty())
      throw InputError("--let does not go with --launches, which says of each how it was launched");
    return;
  }
  const Bindings sizes = of_option("--let", [&] { return sizes_of(chosen, Bindings::from_text(let)); });
  const auto rules =
      of_option("--block", [&] { return inputs_of(chosen, sizes, one_block(inputs["block"])); });
  const bool has_grid = !inputs["grid"].empty();
  for (const auto& [option, value] : rules)
    if (std::string& given = inputs[option]; given.empty())
      given = value;
    else if (option == "grid")
      say_what_is_left(context, chosen, sizes, given, value);
    else if (option == "arg")
      check_arguments(context, name, sizes, given, value, has_grid);
}

std::string template_lines(Context& context) {
  std::string lines = "Templates, with their usual sizes, which --let changes:\n";
  for (const std::string& name : context.database().template_names()) {
    const KernelTemplate one = context.database().kernel_template(name);
    lines += help_entry(name, fmt::format("{} ({})", one.title, one.sizes.text()), help_columns());
  }
  return lines;
}

} // namespace perfmodel::cli
