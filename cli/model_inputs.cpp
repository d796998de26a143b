#include "model_inputs.hpp"

#include "chosen_function.hpp"
#include "completion/values.hpp"
#include "expected_unit.hpp"
#include "given_file.hpp"
#include "given_memory.hpp"
#include "number_words.hpp"
#include "option_groups.hpp"
#include "points_file.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace perfmodel::cli {

namespace {

std::string help_of(const Option& option) {
  std::string text = option.help;
  if (!option.choices.empty()) text += fmt::format(": {}", fmt::join(option.choices, ", "));
  if (!option.unit.symbol.empty()) text += " [" + option.unit.symbol + "]";
  if (!option.default_text.empty()) text += ", default " + option.default_text;
  return text;
}

const char* value_of(const Option& option) {
  switch (option.kind) {
  case OptionKind::number:
    return number_value;
  case OptionKind::choice:
    return name_value;
  case OptionKind::points:
    return file_value;
  case OptionKind::file:
    return option.shipped_in.empty() ? file_value : file_or_name_value;
  case OptionKind::bindings:
    return binding_value;
  case OptionKind::text:
    break;
  }
  return "TEXT"; // an expression, a shape
}

// Who times launches, by the names of the tools.
std::string timed_by(std::string given) {
  for (const auto& [tool, word] : {std::pair<std::string, std::string>{"ncu", "profiler"}, {"nsys", "trace"}})
    if (given == tool) return word;
  return given;
}

// "a[gid*32]" of a kernel's source: only what stands between the brackets is asked for.
void refuse_access(const Option& option, const std::string& given) {
  const std::size_t open = given.find('['), close = given.rfind(']');
  if (option.kind != OptionKind::text || option.name != "index" || open == std::string::npos ||
      close == std::string::npos || close < open + 2)
    return;
  throw InputError(fmt::format("--index: the number of the word alone is expected, such as '{}', not '{}'",
                               given.substr(open + 1, std::min<std::size_t>(close - open - 1, 60)),
                               given.substr(0, 60)));
}

std::vector<Value> values_of(Context& context, const Option& option, const std::string& given) {
  refuse_access(option, given);
  if (option.kind == OptionKind::points) return {{.text = points_csv(given)}};
  if (option.kind == OptionKind::file) return {{.text = given_text(context, option, given)}};
  if (option.joined) return parse_values(option, with_memory_files(given));
  if (option.name == "timed") return parse_values(option, timed_by(given));
  const auto read = [&] { return parse_values(option, with_known_words(option, given)); };
  return option.kind == OptionKind::number ? in_unit(option.unit, read) : read();
}

// Of a listing whose launches are not from a file.
void choose_function(std::vector<Axis>& axes) {
  const auto of = [&](std::string_view name) {
    return std::find_if(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.name == name; });
  };
  const auto listing = of("listing"), kernel = of("kernel");
  if (listing == axes.end() || of("launches") != axes.end()) return;
  const std::string given = kernel == axes.end() ? "" : kernel->values.front().text;
  const std::string chosen = chosen_function(listing->values.front().text, given);
  if (chosen != given) kernel->values.front().text = chosen;
}

} // namespace

void ModelInputs::add_to(CLI::App& command, const Model& model) {
  for (const Option& option : model.options) {
    command.option_defaults()->group(option_group::of_input(option.name));
    std::string& text = given[option.name];
    if (option.kind != OptionKind::bindings && !option.joined)
      command
          .add_option((option.name == model.info.positional ? option.name + ",--" : "--") + option.name, text,
                      help_of(option))
          ->type_name(value_of(option));
    else // --let n=4 --let m=5; CLI11's own join() would drop the hole of n=1,,2
      command
          .add_option_function<std::vector<std::string>>(
              "--" + option.name,
              [&text](const std::vector<std::string>& words) {
                text = fmt::format("{}", fmt::join(words, ","));
              },
              help_of(option))
          ->type_name(value_of(option))
          ->allow_extra_args(false);
  }
}

std::vector<Axis> ModelInputs::axes(Context& context, const Model& model) const {
  std::vector<Axis> all;
  for (const Option& option : model.options) {
    const auto found = given.find(option.name);
    const bool is_given = found != given.end() && !found->second.empty(); // "" is refused as a value
    if (!is_given && option.shipped_default.empty()) continue;
    all.push_back(
        {option.name, values_of(context, option, is_given ? found->second : option.shipped_default)});
  }
  choose_function(all);
  return all;
}

} // namespace perfmodel::cli
