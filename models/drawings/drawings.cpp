#include "drawings.hpp"

#include "kinds.hpp"
#include "models/core/error.hpp"
#include "models/core/what_if.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

namespace perfmodel {

namespace {
constexpr std::string_view timeline_help = "the blocks of an SM over time, and what their warps wait for";
} // namespace

std::span<const DrawingKind> drawings() {
  static constexpr auto all = std::to_array<DrawingKind>({
      {"reduction", "tree", "the numbers of a block step by step, who adds what, and who idles", draw_tree},
      {"coalescing", "segments", "a warp's words, and the segments or sectors that are moved for them",
       draw_segments},
      {"bank-conflicts", "banks", "the words of a warp in their banks, wavefront by wavefront", draw_banks},
      {"divergence", "lanes", "a warp's lanes, pass by pass, by the way that they take", draw_lanes},
      {"divergence", "blocks", "the blocks of a tiled product by how their boundary checks diverge",
       draw_boundary_blocks},
      {"partition-camping", "map", "the memory partition that each block's tile begins in",
       draw_partition_map},
      {"kernel", "timeline", timeline_help, draw_timeline},
      {"reduction", "timeline", timeline_help, draw_rung_timeline<Reduction>},
      {"pi", "timeline", timeline_help, draw_rung_timeline<Pi>},
      {"suffix-sums", "timeline", timeline_help, draw_rung_timeline<SuffixSums>},
      {"transpose", "timeline", timeline_help, draw_rung_timeline<Transpose>},
      {"matmul", "timeline", timeline_help, draw_rung_timeline<Matmul>},
      {"operand-bandwidth", "staircase", "the bandwidth that FMAs take at peak, and what each level delivers",
       draw_staircase},
      {"message", "messages", "what the ranks of a program do over time, and the messages between them",
       draw_messages},
  });
  return all;
}

std::vector<DrawingKind> drawings_of(std::string_view model) {
  std::vector<DrawingKind> own;
  for (const DrawingKind& kind : drawings())
    if (kind.model == model) own.push_back(kind);
  return own;
}

Drawing draw(std::string_view model, std::string_view name, const Gpu& gpu, const Request& request) {
  std::vector<std::string> known;
  for (const DrawingKind& kind : drawings_of(model)) {
    known.emplace_back(kind.name);
    if (kind.name != name) continue;
    for (const std::vector<Axis>* axes : {&request.inputs, &request.facts})
      for (const Axis& axis : *axes)
        if (axis.values.size() > 1)
          throw InputError(fmt::format("--draw {} is of one question: --{} has {} values", name,
                                       axes == &request.facts ? "set " + axis.name : axis.name,
                                       axis.values.size()));
    Gpu device = gpu;
    for (const Axis& axis : request.facts) {
      const Value& value = axis.values.front();
      if (value.text.empty()) check_fact(axis.name, value.number);
      device = value.text.empty() ? with_fact(std::move(device), axis.name, value.number)
                                  : with_fact(std::move(device), axis.name, std::string_view(value.text));
    }
    Drawing drawing = kind.draw(device, request);
    drawing.model = std::string(model), drawing.name = std::string(name);
    return drawing;
  }
  throw InputError(fmt::format("--draw: {} has no drawing '{}'{}; it has {}", model, name.substr(0, 40),
                               suggestion(name, known), fmt::join(known, ", ")));
}

} // namespace perfmodel
