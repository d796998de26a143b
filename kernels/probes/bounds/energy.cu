// Power of a GPU at work, from NVML's count of energy while one kernel runs for seconds. What a flop, a byte
// and a second cost cannot be told apart by streams of rising intensity alone, because work and time rise
// together there. So arithmetic without memory runs on some of the SMs too (the same flops take longer, and
// the GPU's constant power tells itself), and words are read from L2 as well as from device memory. Constant
// power rises with the temperature: the first kernel runs once more when the GPU is hot. Streams with few
// blocks on an SM stay below the power cap. `energy-costs` measures the points that the costs are fitted to,
// `energy` others, which are held against them.
#include "kernels/core/power.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/probes/bounds/energy_l2.cuh"
#include "kernels/probes/bounds/energy_registers.cuh"
#include "kernels/probes/bounds/energy_stream.cuh"

#include "models/bounds/energy_fit.hpp"

#include <cmath>
#include <string>

namespace perfmodel::kernels {
namespace energy_probe {
namespace {
// Where to measure. Kernels that read no memory stand at an intensity so high that bytes cost nothing.
constexpr double without_memory = 1e6; // flop/B

struct Point {
  std::string precision, level;
  double of_sms = 1;
  std::function<std::optional<EnergyLoad>(Session&, int sms)> load;
  // Memory is kept from its full rate, of which the model tells: for the fit alone.
  bool held_back = false;
};

template <class T> Point registers(double of_sms) {
  return {sizeof(T) == 4 ? "fp32" : "fp64", "dram", of_sms,
          [](Session& s, int sms) { return register_load<T>(s, sms); }};
}
Point tensor(double of_sms) { return {"bf16", "dram", of_sms, tensor_load}; }
template <class T, int body> Point stream(int bodies = 1) {
  return {sizeof(T) == 4 ? "fp32" : "fp64", "dram", 1,
          [bodies](Session& s, int) { return stream_load<T, body>(s, bodies, 0); }};
}
// At full rate the bytes alone may fill the power cap, under which nothing is learnt of what they cost.
template <class T, int body> Point slow_stream(int blocks_of_sm) {
  return {sizeof(T) == 4 ? "fp32" : "fp64", "dram", 1,
          [blocks_of_sm](Session& s, int) { return stream_load<T, body>(s, 1, blocks_of_sm); }, true};
}
template <int fmas> Point from_l2() {
  return {"fp32", "l2", 1, [](Session& s, int) { return l2_load<fmas>(s); }};
}

std::vector<Point> fitted_points(bool quick) {
  if (quick) return {registers<float>(1), registers<float>(0.5), stream<float, 1>()};
  return {registers<float>(1),
          registers<float>(0.5),
          registers<float>(0.25),
          registers<double>(1),
          registers<double>(0.5),
          registers<double>(0.25),
          tensor(0.5),
          tensor(1.0 / 3),
          tensor(1.0 / 6),
          stream<float, 1>(),
          stream<float, 8>(),
          stream<float, 16>(16),
          stream<double, 1>(),
          stream<double, 2>(),
          slow_stream<float, 1>(1),
          slow_stream<float, 1>(2),
          slow_stream<float, 8>(2),
          slow_stream<double, 2>(1),
          from_l2<1>(),
          from_l2<16>(),
          registers<float>(1)};
}

std::vector<Point> other_points(bool quick) {
  if (quick) return {registers<float>(0.75), stream<float, 4>()};
  return {registers<float>(0.75),
          registers<float>(0.125),
          registers<double>(0.75),
          tensor(0.25),
          tensor(2.0 / 3),
          tensor(5.0 / 6),
          tensor(1),
          stream<float, 2>(),
          stream<float, 4>(),
          stream<float, 14>(),
          stream<float, 14>(2),
          stream<float, 16>(4),
          stream<double, 4>(),
          stream<double, 8>(),
          stream<double, 10>(2),
          stream<double, 14>(4),
          from_l2<4>(),
          from_l2<32>()};
}

// Measures the points; of each, what a second of it does goes to `seen`.
ProbeResult measure_points(Session& session, const std::vector<Point>& points,
                           std::vector<EnergySample>* seen) {
  Report report("power of kernels that run for seconds",
                {{"precision", {}},
                 {"level", {}},
                 {"sms", {}},
                 {"intensity", unit_of<FlopsPerByte>()},
                 {"temperature", {}}},
                "power", unit_of<Watts>());
  report.beside("efficiency", unit_of<FlopsPerJoule>());
  if (!session.nvml.total_energy()) {
    report.note("NVML does not count the energy of this GPU");
    return report.take();
  }
  report.note(
      "operands are random: bits that toggle cost energy, and zeros or equal numbers draw less power");
  for (const Point& p : points) {
    const int sms = std::max(1, static_cast<int>(std::lround(p.of_sms * session.device.sm_count())));
    session.say("energy: " + p.precision + " from " + p.level + " on " + std::to_string(sms) + " SMs");
    const std::optional<EnergyLoad> load = p.load(session, sms);
    if (!load) continue;
    const double bytes = load->dram_bytes + load->l2_bytes;
    const double intensity = bytes > 0 ? load->flops / bytes : without_memory;
    const std::string name = p.precision + " " + p.level + " " + std::to_string(sms) + " SMs";
    if (!report.verify(load->right, name)) return report.take();
    const Sustained s =
        sustain(session, session.quick() ? 0.2 : 1.5, session.quick() ? 0.6 : 5, load->launch);
    const double degrees = s.degrees().value_or(reference_temperature);
    const double rate = s.launches_per_second;
    if (!p.held_back) {
      report.row({p.precision, p.level, std::int64_t{sms}, intensity, degrees},
                 Measurement{.values = s.power, .sm_clock = s.sm_clock});
      report.value_beside(rate * load->flops / s.watts());
    }
    report.note(name + (p.held_back ? ", few blocks," : "") +
                (bytes > 0 ? " at " + std::to_string(intensity) + " flop/B" : "") + ": " +
                std::to_string(s.watts()) + " W, " + std::to_string(rate * load->flops * 1e-12) +
                " Tflop/s, " + std::to_string(rate * bytes * 1e-12) + " TB/s" +
                (s.capped ? ", held by the power cap" : ""));
    if (seen != nullptr && !s.capped)
      seen->push_back({.precision = p.precision,
                       .flops = rate * load->flops,
                       .dram_bytes = rate * load->dram_bytes,
                       .l2_bytes = rate * load->l2_bytes,
                       .power = s.watts(),
                       .temperature = degrees});
  }
  return report.take();
}

ProbeResult run_costs(Session& session) {
  std::vector<EnergySample> seen;
  ProbeResult result = measure_points(session, fitted_points(session.quick()), &seen);
  for (const EnergyCost& cost : fit_energy(seen)) // a GPU that hardly warmed up may seem to draw less
    if (cost.value > 0) result.constants.push_back({cost.fact, cost.value, cost.low, cost.high, {}, {}, {}});
  return result;
}

ProbeResult run_points(Session& session) {
  return measure_points(session, other_points(session.quick()), nullptr);
}

} // namespace
} // namespace energy_probe

extern const Probe energy_costs{
    .name = "energy-costs",
    .order = 640,
    .model = "energy",
    .measures = "power of kernels that run for seconds: what a flop, a byte and a second cost",
    .provides = {"energy.fp32", "energy.fp64", "energy.bf16_tensor", "energy.dram", "energy.l2",
                 "power.constant", "power.per_degree"},
    .run = energy_probe::run_costs};

extern const Probe energy{.name = "energy",
                          .order = 650,
                          .model = "energy",
                          .measures = "power of other kernels that run for seconds, held against those costs",
                          .run = energy_probe::run_points};

} // namespace perfmodel::kernels
