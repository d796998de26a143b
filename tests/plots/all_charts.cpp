// Every chart that the tests draw.
#include "charts.hpp"

#include "plots/chart/lines_chart.hpp"
#include "plots/chart/roofline_chart.hpp"
#include "plots/output/svg.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::plots::test {

namespace {
Result many_lines(int series, Kind kind) {
  std::vector<Sample> samples;
  for (int s = 0; s < series; ++s)
    for (int threads = 32; threads <= 1024; threads *= 2)
      samples.push_back({static_cast<double>(threads), "ilp " + std::to_string(s + 1),
                         std::min(4.6e12, 4.2e9 * threads * (s + 1)) * (kind == Kind::predicted ? 1 : 0.93)});
  return lines(samples, kind);
}

// Each line ends where the one before it was halfway.
Result uneven_lines() {
  std::vector<Sample> samples;
  for (int s = 0; s < 5; ++s)
    for (int i = 1; i <= 32 >> s; ++i)
      samples.push_back({32.0 * i, "ilp " + std::to_string(1 << s), 1e11 * i * (1 << s)});
  return lines(samples);
}

Machine odd_kernels() {
  Machine m = h200();
  m.kernels = {{"reduction <v6> & \"co\"", "fp32", "dram", 0.25, 1.2e12, 1.1e12, 1.0e12, 1.15e12},
               {"Größe µ 漢字 \xff", "fp32", "dram", 0.5, 2.4e12, 1.9e12},
               {"sgemm", "fp32", "dram", 128, 66.9e12, 52e12},
               {"sgemm", "fp32", "l2", 32, 66.9e12, 52e12},
               {"sgemm", "fp32", "shared", 6, 66.9e12, 52e12},
               {"attainable only", "fp32", "dram", 2, 9.6e12, absent},
               {"too fast", "fp32", "dram", 31, 66.9e12, 100e12},
               {"not a number", "fp32", "dram", absent, absent, absent},
               {"zero", "fp32", "dram", 0, 0, 0},
               {std::string(500, 'x'), "fp32", "dram", 0.6, 2.9e12, 2.4e12}};
  return m;
}

Machine extreme(double low, double high) {
  return {"extreme",
          {{"fp32", "fp32", "spec", high}},
          {{"DRAM pin", "dram", "spec", low}},
          {{"far", "fp32", "dram", 1e-30, 1, 1}, {"farther", "fp32", "dram", 1e30, 1, 1e30}}};
}
} // namespace

Machine matmul_ladder(bool measured) {
  Machine m = h200();
  const auto add = [&](const char* name, const char* precision, const char* level, double intensity,
                       double roof, double reached, double predicted) {
    m.kernels.push_back({name, precision, level, intensity, roof, measured ? reached : absent, absent, absent,
                         "matmul", predicted});
  };
  add("naive", "fp32", "l2", 0.25, 2.73e12, 1.9e12, 2.2e12);
  add("tiled", "fp32", "l2", 4, 43.7e12, 8.11e12, 8.52e12);
  add("register-tiled", "fp32", "l2", 32, 66.9e12, 43.8e12, 49.7e12);
  add("tensor-tf32", "tf32", "l2", 42.7, 466e12, 343e12, 361e12);
  add("tensor-bf16", "bf16", "l2", 128, 989e12, 672e12, 713e12);
  return m;
}

Machine upright_ladder(bool measured) {
  Machine m = h200();
  const auto add = [&](const char* name, double reached, double predicted) {
    m.kernels.push_back(
        {name, "fp32", "dram", 0.25, 1.2e12, measured ? reached : absent, absent, absent, "sum", predicted});
  };
  add("interleaved", 0.1e12, 0.12e12), add("strided-index", 0.16e12, 0.157e12);
  add("sequential", 0.215e12, 0.213e12), add("first-add", 0.41e12, 0.389e12);
  add("unrolled-warp", 0.5e12, 0.493e12), add("unrolled", 0.49e12, 0.51e12);
  add("grid-stride", 0.775e12, 0.775e12), add("shuffle", 0.775e12, 0.79e12), add("vector", 0.775e12, 0.87e12);
  return m;
}

namespace {
// A third of the series known, a third inherited, a third assumed; and one that changes along the way.
Result graded_lines() {
  const std::vector<std::string> words{"known", "inherited", "assumed"};
  std::vector<Sample> samples;
  std::vector<std::string> grades;
  for (int s = 0; s < 4; ++s)
    for (int threads = 32; threads <= 1024; threads += 32) {
      samples.push_back({static_cast<double>(threads), "ilp " + std::to_string(s + 1),
                         std::min(4.2e12 + 1e11 * s, 4.2e9 * threads * (s + 1))});
      grades.push_back(s < 3 ? words[static_cast<std::size_t>(s)]
                             : words[static_cast<std::size_t>(threads / 384)]);
    }
  return graded(lines(samples), grades);
}

Result many_rungs() {
  std::vector<std::pair<std::string, double>> rungs;
  for (int i = 0; i < 5000; ++i) rungs.emplace_back("rung " + std::to_string(i), 1e9 * (1 + i * 37 % 101));
  return ladder(rungs);
}

// 20 000 kernels, and one far from all others.
Machine crowd() {
  Machine m = with_kernels(h200(), 0);
  for (int i = 0; i < 20'000; ++i) {
    const double intensity = std::exp2(0.0005 * (i * 7919 % 20'000)),
                 roof = std::min(4.8e12 * intensity, 66.9e12);
    m.kernels.push_back({"kernel " + std::to_string(i), "fp32", "dram", intensity, roof,
                         roof * (0.2 + 0.7 * (i * 104'729 % 20'000) / 20'000.0)});
  }
  m.kernels.push_back({"alone", "fp32", "dram", 0.25, 1.2e12, 0.01e12});
  return m;
}
} // namespace

namespace {

std::vector<std::pair<std::string, Chart>> made_charts() {
  const Result few = many_lines(4, Kind::predicted), lots = many_lines(40, Kind::predicted);
  ChartChoice log = few.chart;
  log.log_x = log.log_y = true;
  const Result rungs =
      ladder({{"interleaved, divergent", 2.083e9}, {"sequential", 9.741e9}, {"multiple adds", 62.671e9}});
  const Result faster = ladder(
      {{"interleaved, divergent", 2.2e9}, {"sequential", 9e9}, {"multiple adds", 60e9}}, Kind::measured);
  return {
      {"one device", roofline_chart(roofline({m2090()}))},
      {"many ceilings", roofline_chart(roofline({h200()}))},
      {"a sweep",
       roofline_chart(roofline({h200()}), {sweep(h200(), "fp32", 0.94), sweep(h200(), "fp64", 0.95)})},
      {"two devices", roofline_chart(roofline({m2090(), h200()}), {sweep(h200(), "fp32", 0.94)})},
      {"five devices", roofline_chart(roofline({c1060(), m2090(), a100(), h200(), b200()}))},
      {"equal devices", roofline_chart(roofline({h200(), h200(), rtx4090()}))},
      {"one kernel", roofline_chart(roofline({with_kernels(h200(), 1)}))},
      {"forty kernels", roofline_chart(roofline({with_kernels(h200(), 40)}))},
      {"odd kernels", roofline_chart(roofline({odd_kernels()}))},
      {"matmul ladder", roofline_chart(roofline({matmul_ladder(false)}))},
      {"measured matmul ladder", roofline_chart(roofline({matmul_ladder(true)}))},
      {"upright ladder", roofline_chart(roofline({upright_ladder(false)}))},
      {"measured upright ladder", roofline_chart(roofline({upright_ladder(true)}))},
      {"slow device", roofline_chart(roofline({extreme(1, 1)}))},
      {"fast device", roofline_chart(roofline({extreme(1e25, 1e30)}))},
      {"high ridge", roofline_chart(roofline({extreme(1e3, 1e15)}))},
      {"low ridge", roofline_chart(roofline({extreme(1e15, 1e9)}))},
      {"four lines", lines_chart(few, {many_lines(4, Kind::measured)}, few.chart)},
      {"four lines, logarithmic", lines_chart(few, {many_lines(4, Kind::measured)}, log)},
      {"forty lines", lines_chart(lots, {}, lots.chart)},
      {"curve", chart_of(curve({1, 2, 4, 8}), {measured_curve({1, 2, 4, 8, 16})})},
      {"curve, seven ILPs", chart_of(curve({1, 2, 3, 4, 6, 8, 16}))},
      {"staircase", chart_of(staircase())},
      {"lines that end early", lines_chart(uneven_lines(), {}, few.chart)},
      {"one point", lines_chart(lines({{32, "", 1e9}}), {}, few.chart)},
      {"constant", lines_chart(lines({{32, "a", 0}, {32, "b", 0}}), {}, few.chart)},
      {"nothing", lines_chart(lines({{absent, "", absent}}), {}, few.chart)},
      {"measured only", lines_chart(many_lines(3, Kind::measured), {}, few.chart)},
      {"ladder", bars_chart(rungs, {faster}, rungs.chart)},
      {"many bars", bars_chart(lots, {}, lots.chart)},
      {"graded lines", chart_of(graded_lines())},
      {"graded staircase", chart_of(graded(staircase(), {"known", "inherited", "inherited", "assumed"}))},
      {"graded ladder", bars_chart(graded(rungs, {"known", "inherited", "assumed"}), {faster}, rungs.chart)},
      {"graded ceilings", roofline_chart(graded(roofline({h200()}), {"inherited", "assumed", "known"}))},
      {"graded kernels",
       roofline_chart(graded(roofline({matmul_ladder(false)}), {"known", "inherited", "assumed"}))},
      {"graded measured kernels",
       roofline_chart(graded(roofline({matmul_ladder(true)}), {"known", "inherited", "assumed"}))},
      {"graded devices", roofline_chart(graded(roofline({m2090(), a100()}), {"inherited"}))},
      {"crowd", roofline_chart(roofline({crowd()}))},
      {"graded crowd",
       roofline_chart(graded(roofline({crowd()}), {"known", "inherited", "assumed", "inherited"}))},
      {"too many lines", lines_chart(many_lines(400, Kind::predicted), {}, few.chart)},
      {"too many bars", chart_of(many_rungs())}};
}

} // namespace

const std::vector<std::pair<std::string, Chart>>& all_charts() {
  static const auto all = made_charts();
  return all;
}

const std::vector<LaidOut>& all_layouts() {
  static const auto all = [] {
    std::vector<LaidOut> made;
    for (const auto& [name, chart] : all_charts())
      for (const Size size : {Size{960, 600}, Size{640, 400}, Size{480, 480}, Size{1920, 1080}})
        made.push_back({name, chart.x.scale, size, layout(chart, size)});
    return made;
  }();
  return all;
}

const std::vector<std::pair<std::string, std::string>>& all_svgs() {
  static const auto all = [] {
    std::vector<std::pair<std::string, std::string>> made;
    for (const auto& [name, chart] : all_charts()) made.emplace_back(name, to_svg(chart));
    return made;
  }();
  return all;
}

} // namespace perfmodel::plots::test
