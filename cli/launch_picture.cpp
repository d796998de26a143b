#include "launch_picture.hpp"

#include "models/views/kernel.hpp"
#include "models/views/same_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace perfmodel::cli {

namespace {

constexpr std::size_t most_gpus = 3; // of which the bars of a dozen units can be told apart

struct DrawnView {
  std::string_view before, after; // the kernel's name in the title
  std::string_view x, y;          // columns of the view's table
};
constexpr auto drawn = std::to_array<DrawnView>({{"What is busy while ", " runs", "unit", "busy"},
                                                 {"Why warps of ", " do not issue", "stall", "share"},
                                                 {"What would help ", "", "change", "gain"}});

// Of a view's word; code and the timeline have no bars.
bool has_bars(std::string_view view) {
  constexpr auto views = std::to_array<std::string_view>({"stalls", "pipes", "what-if", "all"});
  return std::find(views.begin(), views.end(), view) != views.end();
}

} // namespace

bool asks_for_bars_of_a_view(const Model& model, std::span<const Gpu> gpus, Request& request) {
  if (model.info.name != KernelModel::info.name || gpus.size() > most_gpus || !request.facts.empty())
    return false;
  bool has_view = false;
  for (const Axis& axis : request.inputs) {
    if (axis.name == "launches" || axis.values.size() > 1) return false;
    if (axis.name != "view") continue;
    if (!has_bars(axis.values.front().text)) return false;
    has_view = true;
  }
  if (!has_view) request.inputs.push_back({"view", {{.text = "pipes"}}});
  return true;
}

void draw_view(Result& result) {
  const auto of = std::find_if(drawn.begin(), drawn.end(), [&](const DrawnView& view) {
    return std::any_of(result.tables.begin(), result.tables.end(), [&](const Table& table) {
      return table.find(view.x) != nullptr && table.find(view.y) != nullptr;
    });
  });
  if (of == drawn.end()) return; // nothing was busy
  std::string kernel;
  for (Table& table : result.tables) {
    if (const Column* name = table.find("kernel");
        table.title == KernelModel::Summary::title && name != nullptr)
      kernel = written_name(name->text(0));
    const bool is_drawn = table.find(of->y) != nullptr; // its chart's title names the kernel
    std::erase_if(table.columns, [&](const Column& column) {
      return column.name == "view" || (column.name == "kernel" && is_drawn);
    });
  }
  result.title = fmt::format("{}{}{}", of->before, kernel, of->after);
  result.chart = {.kind = ChartKind::bars, .x = std::string(of->x), .y = std::string(of->y), .series = "gpu"};
}

} // namespace perfmodel::cli
