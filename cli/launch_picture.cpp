#include "launch_picture.hpp"

#include "models/views/kernel.hpp"
#include "models/views/same_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::cli {

namespace {

constexpr std::size_t most_gpus = 3; // of which the bars of a dozen units can be told apart

} // namespace

bool ask_what_is_busy(const Model& model, std::span<const Gpu> gpus, Request& request) {
  if (model.info.name != KernelModel::info.name || gpus.size() > most_gpus || !request.facts.empty())
    return false;
  for (const Axis& axis : request.inputs)
    if (axis.name == "view" || axis.name == "launches" || axis.values.size() > 1) return false;
  request.inputs.push_back({"view", {{.text = "pipes"}}});
  return true;
}

void draw_what_is_busy(Result& result) {
  std::string kernel;
  for (Table& table : result.tables) {
    if (const Column* name = table.find("kernel");
        table.title == KernelModel::Summary::title && name != nullptr)
      kernel = written_name(name->text(0));
    const bool of_units = table.find("busy") != nullptr; // its chart's title names the kernel
    std::erase_if(table.columns, [&](const Column& column) {
      return column.name == "view" || (column.name == "kernel" && of_units);
    });
  }
  result.title = fmt::format("What is busy while {} runs", kernel);
  result.chart = {.kind = ChartKind::bars, .x = "unit", .y = "busy", .series = "gpu"};
}

} // namespace perfmodel::cli
