#include "hw.hpp"

#include "cli/given_file.hpp"
#include "cli/progress.hpp"
#include "hwdb/text_file.hpp"
#include "models/core/error.hpp"
#include "models/core/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

namespace perfmodel::cli::hw {

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
  std::string answers; // below the line of progress, at the end
  for (const Model& model : models()) {
    progress.say(fmt::format("does {} answer?", model.info.name));
    if (model.info.gpu == GpuUse::none) continue;
    try {
      Request request; // with the files that its options have when none is given
      for (const Option& option : model.options)
        if (!option.shipped_default.empty())
          request.inputs.push_back(
              {option.name, {{.text = given_text(context, option, option.shipped_default)}}});
      const Result result = predict(model, std::span(&completed, 1), request);
      answers += fmt::format(
          "{}: has the facts it needs{}\n", model.info.name,
          result.grade == Grade::known ? "" : fmt::format(", some of them {}", name_of(result.grade)));
    } catch (const InputError& e) {
      answers += fmt::format("{}: cannot answer yet: {}\n", model.info.name, printable(e.what()));
    }
  }
  progress.end();
  context.out << answers;
}

} // namespace perfmodel::cli::hw
