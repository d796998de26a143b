// perfmodel cite: how the program is cited, under which licence it and its data are, and whose numbers and
// formulas an answer rests on.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "cli/citation.hpp"
#include "cli/commands/hw/hw.hpp"
#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/option_groups.hpp"
#include "hwdb/text_file.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

namespace perfmodel::cli {

namespace {

struct CiteOptions {
  HardwareOptions hardware;
  std::vector<std::string> models;
  AnswerOptions answer;
};

bool is_bibtex(const AnswerOptions& answer) {
  constexpr std::string_view ending = ".bib";
  if (!answer.format.empty()) return answer.format == "bibtex";
  return answer.file.size() > ending.size() &&
         answer.file.compare(answer.file.size() - ending.size(), ending.size(), ending) == 0;
}

void check_format(const AnswerOptions& answer) {
  if (is_bibtex(answer)) return;
  const auto known = table_format_names();
  if (!answer.format.empty() && std::find(known.begin(), known.end(), answer.format) == known.end())
    throw InputError(fmt::format("--format: unknown format '{}'; one of {}, bibtex is expected",
                                 answer.format.substr(0, 40), fmt::join(known, ", ")));
  answer.check();
}

void run(Context& context, const CiteOptions& options) {
  const bool bibtex = is_bibtex(options.answer);
  check_format(options.answer);
  const Citation citation = parse_citation(citation_file());
  std::vector<CitedWork> works;
  for (const std::string& name : options.models)
    for (const std::string& source : sources_named(std::string(model(name).info.source)))
      works.push_back({std::string(model(name).info.name), source, "formula of the model"});
  Result result;
  result.verdict = {
      fmt::format("{}: {}, version {}, revision {}, {} licence.", fmt::join(citation.authors, ", "),
                  citation.title, citation.version, context.commit, citation.licence),
      fmt::format("The {} licence holds for the program and for its data; works of others that numbers are "
                  "taken from keep their own terms: cite them beside the number.",
                  citation.licence)};
  if (!options.hardware.hw.empty())
    for (const Gpu& gpu : devices(context, options.hardware)) {
      const std::vector<CitedWork> behind = works_behind(gpu);
      works.insert(works.end(), behind.begin(), behind.end());
      result.verdict.push_back(facts_by_status(gpu));
    }
  if (bibtex) {
    const std::string text = to_bibtex(citation, context.commit, works);
    if (options.answer.file.empty())
      context.out << text;
    else
      hwdb::write_whole(options.answer.file, text);
    return;
  }
  Table how{.title = "how to cite it"};
  how.columns = {hw::text_column("title", Role::key), hw::text_column("authors"), hw::text_column("version"),
                 hw::text_column("revision"), hw::text_column("licence")};
  append(how.columns[0], citation.title);
  append(how.columns[1], fmt::format("{}", fmt::join(citation.authors, ", ")));
  append(how.columns[2], citation.version);
  append(how.columns[3], context.commit);
  append(how.columns[4], citation.licence);
  result.tables.push_back(std::move(how));
  if (!works.empty()) {
    Table sources{.title = "works behind the numbers"};
    sources.columns = {hw::text_column("of", Role::key), hw::text_column("used_for"),
                       hw::text_column("work")};
    for (CitedWork& work : works) {
      append(sources.columns[0], std::move(work.of));
      append(sources.columns[1], std::move(work.used_for));
      append(sources.columns[2], std::move(work.work));
    }
    result.tables.push_back(std::move(sources));
  } else {
    result.notes.push_back("cite --hw GPU and --model MODEL name the works behind their numbers and formulas "
                           "as well; --format bibtex has entries for LaTeX.");
  }
  give(context, options.answer, std::move(result));
}

} // namespace

void add_cite_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<CiteOptions>();
  CLI::App* command = program.add_subcommand(
      "cite", "how to cite the program, its licence, and the sources of a GPU's numbers");
  command->option_defaults()->group(option_group::gpu);
  command->add_option("--hw", options->hardware.hw, "GPUs whose numbers are used: the sources of their facts")
      ->type_name(gpus_value);
  command->option_defaults()->group(option_group::question);
  command
      ->add_option("--model", options->models, "models whose answers are used: where their formulas are from")
      ->delimiter(',')
      ->type_name(model_value);
  options->answer.add_to(*command, false);
  command->get_option("--format")
      ->description("text, json, csv, markdown, latex, or bibtex: entries for LaTeX "
                    "(default: by the extension of -o, else text)");
  command->get_option("--output")->description("write to this file: .txt .json .csv .md .tex .bib");
  command->footer(examples_text({"perfmodel cite", "perfmodel cite --hw h200 --model roofline",
                                 "perfmodel cite --hw h200 --format bibtex"}));
  command->callback([&context, options] { run(context, *options); });
}

} // namespace perfmodel::cli
