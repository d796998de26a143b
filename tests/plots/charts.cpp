#include "charts.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::plots::test {

namespace {
Column column(std::string name, Role role, Unit unit = {}) {
  Column c;
  c.name = std::move(name), c.role = role, c.unit = std::move(unit);
  return c;
}

template <class... Cells> void add_row(Table& table, Cells... cells) {
  std::size_t i = 0;
  (append(table.columns[i++], std::move(cells)), ...);
}
} // namespace

// The figures of hwdb/gpus, 2026-11.
Machine m2090() {
  return {"m2090",
          {{"fp64", "fp64", "spec", 666.1e9},
           {"fp64 without FMA", "fp64", "spec", 333e9},
           {"fp32", "fp32", "spec", 1332.2e9},
           {"fp32 without FMA", "fp32", "spec", 666.1e9}},
          {{"DRAM pin", "dram", "spec", 177.4e9}, {"DRAM measured", "dram", "measured", 125e9}}};
}

Machine h200() {
  return {"h200",
          {{"fp64", "fp64", "spec", 33.45e12},
           {"fp64 without FMA", "fp64", "spec", 16.73e12},
           {"fp64 measured", "fp64", "measured", 33.2e12},
           {"fp64 tensor", "fp64-tensor", "spec", 66.91e12},
           {"fp32", "fp32", "spec", 66.91e12},
           {"fp32 without FMA", "fp32", "spec", 33.45e12},
           {"fp32 measured", "fp32", "measured", 63.1e12},
           {"tf32 tensor", "tf32", "spec", 494.7e12},
           {"fp16 tensor", "fp16", "spec", 989.4e12},
           {"fp16", "fp16-vector", "spec", 133.8e12},
           {"bf16 tensor", "bf16", "spec", 989.4e12},
           {"bf16", "bf16-vector", "spec", 133.8e12},
           {"fp8 tensor", "fp8", "spec", 1978.9e12},
           {"int8 tensor", "int8", "spec", 1978.9e12},
           {"int32", "int32", "spec", 16.73e12}},
          {{"DRAM pin", "dram", "spec", 4.814e12},
           {"DRAM read", "dram", "measured", 4.613e12},
           {"DRAM write", "dram", "measured", 4.672e12},
           {"DRAM copy", "dram", "measured", 4.271e12},
           {"DRAM triad", "dram", "measured", 4.392e12},
           {"L2 read", "l2", "measured", 10.9e12},
           {"shared banks", "shared", "spec", 33.45e12}}};
}

Machine a100() {
  return {"a100-80",
          {{"fp64", "fp64", "spec", 9.7e12},
           {"fp32", "fp32", "spec", 19.5e12},
           {"bf16 tensor", "bf16", "spec", 312e12}},
          {{"DRAM pin", "dram", "spec", 2.039e12}}};
}

Machine rtx4090() {
  return {"rtx4090",
          {{"fp64", "fp64", "spec", 1.29e12}, {"fp32", "fp32", "spec", 82.58e12}},
          {{"DRAM pin", "dram", "spec", 1.008e12}}};
}

Machine b200() {
  return {"b200",
          {{"fp32", "fp32", "spec", 74.5e12}, {"fp4 tensor", "fp4", "spec", 9000e12}},
          {{"DRAM pin", "dram", "spec", 7.7e12}}};
}

Machine c1060() {
  return {"c1060", {{"fp32", "fp32", "spec", 622.1e9}}, {{"DRAM pin", "dram", "spec", 102.4e9}}};
}

Result roofline(const std::vector<Machine>& machines) {
  const Unit flops = unit_of<FlopsPerSecond>(), bytes = unit_of<BytesPerSecond>(),
             ratio = unit_of<FlopsPerByte>();
  Table compute{"compute ceilings",
                {column("gpu", Role::key), column("ceiling", Role::key), column("precision", Role::key),
                 column("basis", Role::key), column("rate", Role::predicted, flops),
                 column("ridge", Role::predicted, ratio)},
                {}};
  Table bandwidth{"bandwidth ceilings",
                  {column("gpu", Role::key), column("ceiling", Role::key), column("level", Role::key),
                   column("basis", Role::key), column("bandwidth", Role::predicted, bytes)},
                  {}};
  Table kernels{"kernels",
                {column("gpu", Role::key), column("name", Role::key), column("precision", Role::key),
                 column("level", Role::key), column("intensity", Role::key, ratio),
                 column("performance", Role::predicted, flops), column("achieved", Role::measured, flops),
                 column("low", Role::low, flops), column("high", Role::high, flops),
                 column("path", Role::key), column("predicted", Role::predicted, flops)},
                {}};
  for (const Machine& m : machines) {
    const double pin = m.slopes.empty() ? absent : m.slopes.front().bandwidth;
    for (const Rate& r : m.rates)
      add_row(compute, m.gpu, r.ceiling, r.precision, r.basis, r.rate, r.rate / pin);
    for (const Slope& s : m.slopes) add_row(bandwidth, m.gpu, s.ceiling, s.level, s.basis, s.bandwidth);
    for (const Kernel& k : m.kernels)
      add_row(kernels, m.gpu, k.name, k.precision, k.level, k.intensity, k.attainable, k.achieved, k.low,
              k.high, k.path, k.predicted);
  }
  Result result;
  result.model = "roofline";
  result.tables = {compute, bandwidth, kernels};
  result.chart = {ChartKind::roofline, "intensity", "performance", "gpu", true, true};
  return result;
}

Result sweep(const Machine& m, const std::string& precision, double part) {
  const Unit flops = unit_of<FlopsPerSecond>();
  Table table{"roofline sweep",
              {column("gpu", Role::key), column("precision", Role::key), column("level", Role::key),
               column("intensity", Role::key, unit_of<FlopsPerByte>()),
               column("performance", Role::measured, flops), column("low", Role::low, flops),
               column("high", Role::high, flops)},
              {}};
  double peak = 0;
  for (const Rate& r : m.rates)
    if (r.ceiling == precision) peak = r.rate;
  for (int i = -8; i <= 16; ++i) {
    const double intensity = std::exp2(0.5 * i), memory = intensity * m.slopes.front().bandwidth;
    const double knee = 1 / std::pow(std::pow(peak, -8) + std::pow(memory, -8), 1.0 / 8);
    const double y = part * knee;
    add_row(table, m.gpu, precision, std::string("dram"), intensity, y, y * 0.985, y * 1.01);
  }
  Result result;
  result.kind = Kind::measured;
  result.model = "roofline";
  result.tables = {table};
  return result;
}

Result lines(const std::vector<Sample>& samples, Kind kind) {
  const Role role = kind == Kind::predicted ? Role::predicted : Role::measured;
  Table table{"sweep",
              {column("threads", Role::key, {"threads", {}}), column("ilp", Role::key),
               column("bandwidth", role, unit_of<BytesPerSecond>())},
              {}};
  for (const Sample& s : samples) add_row(table, s.x, s.series, s.y);
  Result result;
  result.kind = kind;
  result.model = "latency-hiding";
  result.title = "Bandwidth by threads";
  result.tables = {table};
  result.chart = {ChartKind::lines, "threads", "bandwidth", "ilp"};
  return result;
}

namespace {
Table curve_table(Role role) {
  return {"fraction of peak",
          {column("gpu", Role::key), column("threads", Role::key, {"threads", {}}), column("ilp", Role::key),
           column("blocks", Role::key), column("unroll", Role::key), column("operands", Role::key),
           column("of_peak", role, {"fraction", {}})},
          {}};
}

double fraction_of_peak(int threads, int ilp, int unroll) {
  const double fullest = std::ceil(threads / 128.0), latency = std::min(1.0, fullest * ilp / 4);
  return latency * threads / (128 * fullest) * unroll / (unroll + 0.4);
}
} // namespace

Result curve(const std::vector<int>& ilps) {
  Table table = curve_table(Role::predicted);
  for (const int ilp : ilps)
    for (int threads = 32; threads <= 1024; threads += 32)
      add_row(table, std::string("h200"), static_cast<double>(threads), static_cast<double>(ilp), 1.0, 8.0,
              2.0, fraction_of_peak(threads, ilp, 8));
  Result result;
  result.model = "latency-hiding";
  result.title = "Latency hiding";
  result.tables = {table};
  result.chart = {ChartKind::lines, "threads", "of_peak", "ilp"};
  return result;
}

Result measured_curve(const std::vector<int>& ilps) {
  Table table = curve_table(Role::measured);
  table.columns.push_back(column("low", Role::low, {"fraction", {}}));
  table.columns.push_back(column("high", Role::high, {"fraction", {}}));
  for (const int ilp : ilps)
    for (const int unroll : {8, 64})
      for (const int operands : {2, 3})
        for (int threads = 32; threads <= 1024; threads += 32) {
          const double y = fraction_of_peak(threads, ilp, unroll) * (operands == 3 ? 0.5 : 0.985);
          add_row(table, std::string("h200"), threads, ilp, 1, unroll, operands, y, y * 0.98, y * 1.01);
        }
  Result result;
  result.kind = Kind::measured;
  result.model = "latency-hiding";
  result.tables = {table};
  return result;
}

Result staircase() {
  Table table{"occupancy",
              {column("gpu", Role::key), column("threads", Role::key, {"threads", {}}),
               column("occupancy", Role::predicted, {"fraction", {}})},
              {}};
  for (int threads = 32; threads <= 1024; threads += 32) {
    const int warps = threads / 32;
    add_row(table, std::string("h200"), static_cast<double>(threads),
            std::min(32, 64 / warps) * warps / 64.0);
  }
  Result result;
  result.model = "occupancy";
  result.title = "Occupancy";
  result.tables = {table};
  result.chart = {ChartKind::lines, "threads", "occupancy", "gpu", false, false, true};
  return result;
}

Result graded(Result result, const std::vector<std::string>& grades) {
  for (Table& table : result.tables) {
    Column grade = column("grade", Role::note);
    for (std::size_t row = 0; row < table.rows(); ++row) append(grade, grades[row % grades.size()]);
    if (table.rows() > 0) table.columns.push_back(std::move(grade));
  }
  return result;
}

Result ladder(const std::vector<std::pair<std::string, double>>& rungs, Kind kind) {
  Table table{"ladder",
              {column("rung", Role::key),
               column("bandwidth", kind == Kind::predicted ? Role::predicted : Role::measured,
                      unit_of<BytesPerSecond>())},
              {}};
  for (const auto& [name, value] : rungs) add_row(table, name, value);
  Result result;
  result.kind = kind;
  result.model = "reduction";
  result.title = "Reduction ladder";
  result.tables = {table};
  result.chart = {ChartKind::bars, "rung", "bandwidth", ""};
  return result;
}

Machine with_kernels(Machine m, int count) {
  const double beta = m.slopes.front().bandwidth, peak = 66.91e12;
  for (int i = 0; i < count; ++i) {
    const double intensity = std::exp2(-3 + 0.25 * (i * 37 % 40)), roof = std::min(beta * intensity, peak);
    m.kernels.push_back({"kernel " + std::to_string(i), "fp32", "dram", intensity, roof,
                         roof * (0.1 + 0.011 * (i * 53 % 80))});
  }
  return m;
}

std::string notes_of(const Layout& l) {
  std::string notes;
  for (const Text& t : l.frame) notes += t.text + " ";
  return notes;
}

} // namespace perfmodel::plots::test
