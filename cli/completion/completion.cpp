#include "completion.hpp"

#include "values.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <optional>

namespace perfmodel::cli {

namespace {

bool is_hidden(const CLI::Option& option) { return option.get_group().empty(); }

bool takes_value(const CLI::Option& option) { return option.get_expected_max() > 0; }

// "--hw" and "-o" of `command` or of one above it.
const CLI::Option* option_called(const CLI::App* command, const std::string& name) {
  for (; command != nullptr; command = command->get_parent())
    if (const CLI::Option* option = command->get_option_no_throw(name)) return option;
  return nullptr;
}

// The positional that takes the word behind `before` others; nullptr where none does.
const CLI::Option* positional_behind(const CLI::App& command, std::size_t before) {
  const CLI::Option* last = nullptr;
  for (const CLI::Option* option : command.get_options()) {
    if (!option->get_positional()) continue;
    last = option;
    if (before-- == 0) return option;
  }
  return last != nullptr && last->get_expected_max() > 1 ? last : nullptr;
}

// Where the cursor is, after all words before it.
struct Place {
  const CLI::App* command;
  const CLI::Option* waiting = nullptr; // an option that the word is the value of
  std::vector<std::string> positionals; // of the command
  bool is_other_program = false;        // behind the -- of `capture`
};

Place place_of(Context& context, const CLI::App& program, const std::vector<std::string>& typed) {
  Place place{&program};
  for (std::size_t i = 0; i + 1 < typed.size(); ++i) {
    const std::string& word = typed[i];
    if (place.waiting != nullptr) {
      if (place.waiting->check_name("--hwdb")) context.hwdb_folder = word;
      place.waiting = nullptr;
    } else if (word == "--") {
      place.is_other_program = true;
      return place;
    } else if (word.size() > 1 && word.front() == '-') {
      const CLI::Option* option = option_called(place.command, word);
      if (option != nullptr && takes_value(*option)) place.waiting = option;
    } else if (const CLI::App* command = command_called(*place.command, word)) {
      place.command = command;
      place.positionals.clear();
    } else {
      place.positionals.push_back(word);
    }
  }
  return place;
}

// Those of `all` that begin as `begin` does, each behind `before`.
void add(std::vector<Completion>& out, const std::vector<Completion>& all, const std::string& begin,
         const std::string& before = "") {
  for (const Completion& one : all)
    if (one.word.rfind(begin, 0) == 0) out.push_back({before + one.word, one.meaning});
}

// Of a list the last value is completed.
void add_values(std::vector<Completion>& out, const std::vector<Completion>& all, const std::string& typed,
                const std::string& before) {
  const std::size_t comma = typed.rfind(',');
  const std::size_t begin = comma == std::string::npos ? 0 : comma + 1;
  add(out, all, typed.substr(begin), before + typed.substr(0, begin));
}

std::vector<Completion> options_of(const CLI::App* command) {
  std::vector<Completion> all;
  for (; command != nullptr; command = command->get_parent())
    for (const CLI::Option* option : command->get_options()) {
      if (is_hidden(*option)) continue;
      for (const std::string& name : option->get_lnames())
        all.push_back({"--" + name, option->get_description()});
    }
  return all;
}

} // namespace

std::vector<Completion> commands_of(const CLI::App& app) {
  std::vector<Completion> all;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (!command->get_group().empty()) all.push_back({command->get_name(), command->get_description()});
  return all;
}

const CLI::App* command_called(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    if (command->get_name() == name) return command;
  return nullptr;
}

std::vector<Completion> completions(Context& context, const CLI::App& program,
                                    const std::vector<std::string>& typed) {
  std::vector<Completion> out;
  if (typed.empty()) return out;
  const Place place = place_of(context, program, typed);
  const std::string& word = typed.back();
  if (place.is_other_program) return out;
  const bool optional = place.waiting != nullptr && place.waiting->get_expected_min() == 0;
  if (place.waiting != nullptr && !(optional && word.rfind('-', 0) == 0)) {
    add_values(out, names_for(context, program, *place.command, *place.waiting), word, "");
    return out;
  }
  if (word.rfind('-', 0) == 0) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) {
      add(out, options_of(place.command), word);
    } else if (const CLI::Option* option = option_called(place.command, word.substr(0, equals))) {
      add_values(out, names_for(context, program, *place.command, *option), word.substr(equals + 1),
                 word.substr(0, equals + 1));
    }
    return out;
  }
  add(out, commands_of(*place.command), word);
  if (const CLI::Option* option = positional_behind(*place.command, place.positionals.size()))
    add_values(out, names_for(context, program, *place.command, *option, place.positionals), word, "");
  return out;
}

} // namespace perfmodel::cli
