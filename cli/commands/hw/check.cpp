#include "hw.hpp"

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
  for (const Model& model : models()) {
    if (model.info.gpu == GpuUse::none) continue;
    try {
      predict(model, std::span(&gpu, 1), {});
      context.out << fmt::format("{}: has the facts it needs\n", model.info.name);
    } catch (const InputError& e) {
      context.out << fmt::format("{}: cannot answer yet: {}\n", model.info.name, printable(e.what()));
    }
  }
}

} // namespace perfmodel::cli::hw
