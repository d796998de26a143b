#include "man_page.hpp"

#include "cli/completion/values.hpp"
#include "models/core/error.hpp"
#include "models/core/model.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>

namespace perfmodel::cli {

namespace {

// What roff takes for an escape, a hyphen where a word may be parted, or a request at the start of a line.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  if (!out.empty() && (out.front() == '.' || out.front() == '\'')) out.insert(0, "\\&");
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

void add_item(std::string& out, const std::string& label, const std::string& meaning) {
  out += ".TP\n" + label + "\n" + roff(meaning) + "\n";
}

// "-o, --output TEXT", or the name of a positional.
std::string label_of(const CLI::Option& option) {
  std::string label;
  const auto add_name = [&](const std::string& name) { label += (label.empty() ? "" : ", ") + bold(name); };
  for (const std::string& name : option.get_snames()) add_name("-" + name);
  for (const std::string& name : option.get_lnames()) add_name("--" + name);
  if (label.empty()) return italic(option.get_name(true));
  if (option.get_expected_max() > 0) label += " " + italic(option.get_type_name());
  return label;
}

void add_options(std::string& out, const CLI::App& command) {
  for (const bool positional : {true, false})
    for (const CLI::Option* option : command.get_options())
      if (!option->get_group().empty() && option->get_positional() == positional)
        add_item(out, label_of(*option), option->get_description());
}

// Lines that are set in stay as they are; others are text.
void add_text(std::string& out, const std::string& text) {
  std::istringstream lines(text);
  bool as_is = false, empty = true;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      empty = true;
      continue;
    }
    const bool set_in = line.front() == ' ';
    if (as_is && !set_in) out += ".fi\n.in\n";
    if (empty || (set_in && !as_is)) out += ".PP\n";
    if (set_in && !as_is) out += ".in 0\n.nf\n"; // such lines are 80 columns wide already
    as_is = set_in, empty = false;
    out += roff(line) + "\n";
  }
  if (as_is) out += ".fi\n.in\n";
}

// The end of a command's help: what it says, and from "Examples:" on commands.
struct Footer {
  std::string text, examples;
};
Footer footer_of(const CLI::App& command) {
  constexpr std::string_view head = "Examples:\n";
  const std::string all = command.get_footer();
  const std::size_t at = all.find(head);
  if (at == std::string::npos) return {all, ""};
  return {all.substr(0, at), all.substr(at + head.size())};
}

std::string synopsis(const CLI::App& command, const std::string& called) {
  std::string out = bold(called);
  for (const CLI::Option* option : command.get_options())
    if (option->get_positional()) {
      const std::string name = italic(option->get_name(true));
      out += option->get_required() ? " " + name : " [" + name + "]";
    }
  return out + (commands_of(command).empty() ? "" : " " + italic("command")) + " [" + italic("options") +
         "]\n";
}

constexpr std::string_view after_all = R"(.SH EXIT STATUS
.TP
.B 0
done
.TP
.B 1
a comparison is out of tolerance
.TP
.B 2
the input is wrong; one sentence says what was expected
.TP
.B 3
this machine cannot do it: no GPU, no toolkit, disk full, no permission
.SH ENVIRONMENT
.TP
.B PERFMODEL_HWDB
folder of the hardware database; \fB\-\-hwdb\fR goes before it
.TP
.B PERFMODEL_CUPTI
the CUPTI library, where \fBmeasure \-\-counters\fR does not find it
.TP
.B NO_COLOR
no colours in the terminal
.TP
.B COLUMNS
how wide text is that goes to a file or a pipe
)";

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

void add_commands(std::string& out, const CLI::App& command, const std::string& called) {
  for (const Completion& one : commands_of(command)) {
    const std::string name = called + " " + one.word;
    const CLI::App& own = *command_called(command, one.word);
    out += ".SS " + synopsis(own, name);
    add_text(out, one.meaning);
    add_options(out, own);
    add_text(out, footer_of(own).examples);
  }
}

} // namespace

std::string man_page(const CLI::App& program, const std::vector<std::string>& words,
                     const std::string& version) {
  const CLI::App* command = words.empty() ? &program : command_called(program, words.front());
  if (command == nullptr) {
    std::vector<std::string> known;
    for (const Completion& one : commands_of(program)) known.push_back(one.word);
    throw InputError(fmt::format("help --man: there is no command '{}'{}", words.front().substr(0, 60),
                                 suggestion(words.front(), known)));
  }
  if (words.size() > 1)
    throw InputError(
        fmt::format("help --man: '{0}' and all behind it is in the page of '{0}'", words.front()));
  const std::string page = words.empty() ? "perfmodel" : "perfmodel-" + words.front();
  const std::string called = words.empty() ? "perfmodel" : "perfmodel " + words.front();
  const Footer footer = footer_of(*command);
  std::string out =
      fmt::format(".TH {} 1 \"\" \"perfmodel {}\" \"perfmodel\"\n", roff(upper(page)), roff(version));
  out += fmt::format(".SH NAME\n{} \\- {}\n", roff(page), roff(command->get_description()));
  out += ".SH SYNOPSIS\n" + synopsis(*command, called);
  if (!footer.text.empty()) {
    out += ".SH DESCRIPTION\n";
    add_text(out, footer.text);
  }
  out += ".SH OPTIONS\n";
  add_options(out, *command);
  if (!commands_of(*command).empty()) out += ".SH COMMANDS\n";
  if (words.empty())
    for (const Completion& one : commands_of(*command)) add_item(out, bold(one.word), one.meaning);
  else
    add_commands(out, *command, called);
  if (!footer.examples.empty()) {
    out += ".SH EXAMPLES\n";
    add_text(out, footer.examples);
  }
  if (words.empty()) out += after_all;
  out += ".SH SEE ALSO\n";
  if (!words.empty()) return out + ".BR perfmodel (1)\n";
  const std::vector<Completion> commands = commands_of(*command);
  for (const Completion& one : commands)
    out += fmt::format(".BR {} (1){}\n", roff("perfmodel-" + one.word), &one == &commands.back() ? "" : ",");
  return out;
}

} // namespace perfmodel::cli
