#include "hw.hpp"

#include "cli/given_file.hpp"
#include "cli/in_parallel.hpp"
#include "cli/progress.hpp"
#include "hwdb/text_file.hpp"
#include "models/core/error.hpp"
#include "models/core/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

namespace perfmodel::cli::hw {

namespace {

// What a model is asked, with the files that its options have when none is given.
struct Question {
  const Model* model;
  Request request;
};

std::vector<Question> questions(Context& context) {
  std::vector<Question> all;
  for (const Model& model : models()) {
    if (model.info.gpu == GpuUse::none) continue;
    all.push_back({.model = &model, .request = {}});
    for (const Option& option : model.options)
      if (!option.shipped_default.empty())
        all.back().request.inputs.push_back(
            {option.name, {{.text = given_text(context, option, option.shipped_default)}}});
  }
  return all;
}

std::string answer(const Question& question, const Gpu& gpu) {
  const std::string_view name = question.model->info.name;
  try {
    const Grade grade = predict(*question.model, std::span(&gpu, 1), question.request).grade;
    return fmt::format("{}: has the facts it needs{}\n", name,
                       grade == Grade::known ? "" : fmt::format(", some of them {}", name_of(grade)));
  } catch (const InputError& e) {
    return fmt::format("{}: cannot answer yet: {}\n", name, printable(e.what()));
  }
}

} // namespace

void check(Context& context, const Options& options) {
  const Gpu gpu = context.database().gpu_from(hwdb::read_text(options.name, hwdb::most_yaml), options.name);
  const auto slips = hwdb::inconsistencies(gpu);
  if (!slips.empty()) {
    context.err << fmt::format("{}\n", fmt::join(slips, "\n"));
    context.exit_code = 2;
    return;
  }
  const auto doubtful = std::count_if(gpu.facts.begin(), gpu.facts.end(),
                                      [](const auto& f) { return f.second.status == Status::unverified; });
  context.out << fmt::format("{}: {} facts, {} unverified; consistent\n", printable(options.name),
                             gpu.facts.size(), doubtful);
  const Gpu completed = context.database().completed(gpu); // with estimates, as every other command has it
  Progress progress(context);
  progress.say("which models answer?");
  const std::vector<Question> all = questions(context);
  std::vector<std::string> answers(all.size()); // below the line of progress, at the end
  std::size_t finished = 0;
  in_parallel(
      all.size(), [&](std::size_t i) { answers[i] = answer(all[i], completed); },
      [&](std::size_t i) {
        progress.say(
            fmt::format("{}/{} models answer, the last {}", ++finished, all.size(), all[i].model->info.name));
      });
  progress.end();
  for (const std::string& one : answers) context.out << one;
}

} // namespace perfmodel::cli::hw
