// The bandwidth that FMAs take at peak beside what each level of memory delivers: a staircase down.
#include "kinds.hpp"

#include "input_of.hpp"
#include "models/concurrency/operand_bandwidth.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfmodel {

namespace bandwidth_staircase {
constexpr double row_height = 1, gap = 0.35;
std::string times(double factor) { return format_quantity(factor, {}, Prefix::si, 3); }
} // namespace bandwidth_staircase

Drawing draw_staircase(const Gpu& gpu, const Request& request) {
  using namespace bandwidth_staircase;
  const auto in = input_of<OperandBandwidth::Input>(request);
  Plain trace;
  const OperandBandwidth::Tables tables = OperandBandwidth::predict(gpu, in, trace);
  const auto& [flows, supplies, tiles] = tables;
  Drawing d;
  d.kinds = {{"taken or left by FMAs at peak: registers alone keep up"}, {"delivered by a level of memory"}};
  d.across = "bandwidth", d.across_unit = unit_of<BytesPerSecond>();
  double y = 0;
  const auto step = [&](std::string name, BytesPerSecond bandwidth, std::string title, std::size_t kind) {
    d.width = std::max(d.width, bandwidth.value);
    d.cells.push_back({.left = 0,
                       .top = y,
                       .width = bandwidth.value,
                       .height = row_height,
                       .text = {},
                       .title = std::move(title),
                       .kind = kind});
    d.rows.push_back({y + row_height / 2, fmt::format("{}: {}", name, in_words(bandwidth))});
    y += row_height + gap;
    d.height = y - gap;
  };
  for (const OperandBandwidth::Flow& flow : flows)
    step(flow.flow, flow.bandwidth,
         fmt::format("{} of FMAs at peak: {}", flow.flow, in_words(flow.bandwidth)), 0);
  std::vector<std::string> steps;
  for (const OperandBandwidth::Supply& s : supplies) {
    const std::string level(names(s.level)[static_cast<std::size_t>(s.level)]);
    step(
        level, s.bandwidth,
        fmt::format("{}: {}, {} times less than the step above", level, in_words(s.bandwidth), times(s.step)),
        1);
    steps.push_back(fmt::format("{} delivers {} times less", level, times(s.step)));
  }
  d.title = fmt::format("Bandwidth that FMAs take at peak, and what each level delivers: {}", gpu.name);
  d.verdict = {fmt::format("Operands take {}; {} than the step above.", in_words(flows.front().bandwidth),
                           fmt::join(steps, ", "))};
  return d;
}

} // namespace perfmodel
