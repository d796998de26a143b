// Every name that completion offers is one that the program takes, and it offers all of them.
#include "program.hpp"

#include "cli/explanation.hpp"
#include "models/core/fact.hpp"
#include "models/core/model.hpp"
#include "models/drawings/drawings.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace perfmodel::completion_test {

using Words = std::set<std::string>;

Words offered(const std::vector<std::string>& typed) {
  const Answer a = perfmodel(std::vector<std::string>{"completion", "--words"} + typed);
  EXPECT_EQ(a.code, 0) << a.err;
  Words all;
  for (const std::string& line : lines_of(a.out)) all.insert(line.substr(0, line.find('\t')));
  return all;
}

// The words that begin a line of a help: the commands under their headings, or the "--options" under theirs.
Words in_help(const std::vector<std::string>& command, bool commands) {
  const Words of_commands{"Models:", "Commands:", "Subcommands:"};
  Words all;
  bool inside = false;
  for (const std::string& line : lines_of(perfmodel(command + std::vector<std::string>{"--help"}).out)) {
    const bool heading = !line.empty() && line.front() != ' ';
    if (heading) inside = (of_commands.count(line) > 0) == commands;
    if (!inside || heading || line.size() < 4 || line.rfind("   ", 0) == 0) continue;
    for (std::size_t at = 2; at < line.size() && line[at] != ' ';) {
      const std::size_t end = std::min(line.find_first_of(" ,", at), line.size());
      const std::string word = line.substr(at, end - at);
      if (commands || word.rfind("--", 0) == 0) all.insert(word);
      at = end + (end < line.size() && line[end] == ',' ? 1 : 0);
    }
  }
  return all;
}

TEST(Completion, every_command_and_every_option_of_the_help_is_offered) {
  const Words commands = in_help({}, true);
  EXPECT_GT(commands.size(), 30u);
  EXPECT_EQ(offered({""}), commands);
  EXPECT_EQ(offered({"hw", ""}), in_help({"hw"}, true));
  EXPECT_EQ(offered({"help", "hw", ""}), offered({"hw", ""}));
  for (const std::string& command : commands) {
    Words options = in_help({command}, false);
    options.insert({"--hwdb", "--version"}); // of the program, wherever they stand
    EXPECT_EQ(offered({command, "--"}), options) << command;
  }
  EXPECT_EQ(offered({"roofline", "--prec"}), (Words{"--precision"}));
}

TEST(Completion, every_gpu_is_offered_and_every_name_that_is_offered_is_known) {
  const hwdb::Database database(hwdb::default_folder());
  const Words gpus = offered({"hw", "show", ""});
  for (const std::string& name : database.names()) {
    EXPECT_EQ(gpus.count(name), 1u) << name;
    for (const std::string& alias : database.gpu(name).aliases) EXPECT_EQ(gpus.count(alias), 1u) << alias;
  }
  for (const std::string& name : gpus) EXPECT_NO_THROW(database.gpu(name)) << name;
  Words with_all = gpus;
  with_all.insert("all");
  EXPECT_EQ(offered({"roofline", "--hw", ""}), with_all);
  // The last of several, behind '=' as well; of the database that the line itself names.
  EXPECT_EQ(offered({"roofline", "--hw", "m2090,k20"}), (Words{"m2090,k20c"}));
  EXPECT_EQ(offered({"roofline", "--hw=m2090,k20"}), (Words{"--hw=m2090,k20c"}));
  const Answer a = perfmodel(words("completion --words hw show m20"));
  EXPECT_EQ(a.out, "m2090\tNVIDIA Tesla M2090\n");
  EXPECT_EQ(perfmodel(words("completion --words --hwdb /none hw show m20")).code, 2);
}

TEST(Completion, every_choice_fact_model_template_and_term_is_offered) {
  for (const Model& model : models())
    for (const Option& option : model.options) {
      if (option.choices.empty()) continue;
      const Words all = offered({std::string(model.info.name), "--" + option.name, ""});
      EXPECT_EQ(all, Words(option.choices.begin(), option.choices.end())) << model.info.name << option.name;
    }
  Words facts;
  for (const KeyInfo& key : all_keys()) facts.insert(std::string(key.path) + "=");
  EXPECT_EQ(offered({"balance", "--set", ""}), facts);
  EXPECT_EQ(offered({"hw", "show", "m2090", "dram.bandw"}), (Words{"dram.bandwidth"}));
  EXPECT_EQ(offered({"validate", "--model", ""}).size(), models().size());
  const Words kernels = offered({"kernel", ""});
  for (const std::string& name : hwdb::Database(hwdb::default_folder()).template_names())
    EXPECT_EQ(kernels.count(name), 1u) << name;
  EXPECT_EQ(kernels, offered({"rank", "--listing", ""}));
  for (const std::string& term : offered({"explain", ""})) EXPECT_TRUE(cli::is_explained(term)) << term;
  EXPECT_EQ(offered({"explain", "long-sc"}), (Words{"long-scoreboard"}));
  for (const std::string& format : offered({"balance", "--format", ""}))
    EXPECT_EQ(perfmodel({"balance", "--hw", "m2090", "--format", format}).code, 0) << format;
  EXPECT_EQ(offered({"roofline", "--theme", "d"}), (Words{"dark"}));
}

TEST(Completion, drawings_sizes_columns_probes_slips_exercises_and_views_are_offered) {
  for (const Model& model : models())
    for (const DrawingKind& kind : drawings_of(model.info.name))
      EXPECT_EQ(offered({std::string(model.info.name), "--draw", ""}).count(std::string(kind.name)), 1u)
          << model.info.name;
  EXPECT_EQ(offered({"roofline", "--size", ""}), (Words{"column", "slide"}));
  EXPECT_EQ(offered({"roofline", "--theme", ""}), (Words{"dark", "light", "print"}));
  EXPECT_EQ(offered({"kernel", "--view", "st"}), (Words{"stalls"}));
  EXPECT_EQ(offered({"reduction", "--view", "ti"}), (Words{"timeline"}));
  EXPECT_EQ(offered({"occupancy", "--chart-y", "occ"}), (Words{"occupancy"}));
  EXPECT_EQ(offered({"measure", "dram-re"}), offered({"measure", "--without", "dram-re"}));
  EXPECT_FALSE(offered({"measure", ""}).empty());
  const Words hidden = offered({"validate", "--hide", ""});
  EXPECT_EQ(hidden.count("each") + hidden.count("all"), 2u);
  const hwdb::Database database(hwdb::default_folder());
  EXPECT_EQ(offered({"slips", ""}).size(), database.slips().size());
  const Words about = offered({"exercise", ""});
  EXPECT_EQ(about.count("all"), 1u);
  for (const std::string& model : about) {
    const Answer a = perfmodel({"exercise", model, "--hw", "h200"});
    EXPECT_TRUE(a.code == 0 || a.err.find("can be asked about h200") != std::string::npos) << model << a.err;
  }
  EXPECT_EQ(offered({"exercise", "--format", ""}), (Words{"latex", "markdown", "text"}));
}

TEST(Completion, files_numbers_and_other_programs_are_left_to_the_shell) {
  for (const char* line : {"roofline -o", "validate --measured", "compare", "littles-law --latency",
                           "capture -o app.launches -- ls"})
    EXPECT_EQ(offered(words(line) + std::vector<std::string>{""}), Words{}) << line;
  EXPECT_EQ(offered({"capture", "--", "ls", "--"}), Words{}) << "its options are its own";
}

TEST(Completion, there_is_a_script_for_each_shell_and_for_no_other) {
  for (const std::string& shell : offered({"completion", ""})) {
    const Answer a = perfmodel({"completion", shell});
    EXPECT_EQ(a.code, 0) << a.err;
    EXPECT_NE(a.out.find("completion --words"), std::string::npos) << shell;
  }
  for (const char* line : {"completion", "completion tcsh", "completion zhs"}) {
    const Answer a = perfmodel(words(line));
    EXPECT_EQ(a.code, 2) << line;
    EXPECT_EQ(a.out, "");
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
  }
  EXPECT_NE(perfmodel(words("completion zhs")).err.find("did you mean 'zsh'"), std::string::npos);
}

TEST(ManPages, say_what_the_help_says) {
  const auto without_escapes = [](std::string text) {
    for (const char* escape : {"\\fB", "\\fI", "\\fR", "\\&"})
      for (std::size_t at = 0; (at = text.find(escape)) != text.npos;) text.erase(at, 3 - (escape[1] == '&'));
    for (std::size_t at = 0; (at = text.find("\\-")) != text.npos;) text.erase(at, 1);
    return text;
  };
  for (const std::string& command : in_help({}, true)) {
    const Answer a = perfmodel({"help", "--man", command});
    ASSERT_EQ(a.code, 0) << a.err;
    EXPECT_EQ(a.out.rfind(".TH ", 0), 0u);
    const std::string page = without_escapes(a.out);
    EXPECT_NE(page.find(".SH NAME\nperfmodel-" + command + " - "), std::string::npos) << page.substr(0, 200);
    for (const std::string& option : in_help({command}, false))
      EXPECT_NE(page.find(option), std::string::npos) << command << " " << option;
    for (const std::string& own : in_help({command}, true))
      EXPECT_NE(page.find(".SS perfmodel " + command + " " + own), std::string::npos) << own;
  }
  EXPECT_EQ(perfmodel(words("help --man rofline")).code, 2);
  EXPECT_EQ(perfmodel(words("help --man hw show")).code, 2);
}

} // namespace perfmodel::completion_test
