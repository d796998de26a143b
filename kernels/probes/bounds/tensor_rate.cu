// Peak rate of the tensor units on Hopper: two warpgroups per SM multiply tiles that stay in shared memory
// into accumulators that stay in registers, so that nothing but the tensor units, and the power cap, can be
// the limit. Operands are random: zeros would draw less power and run 13 % faster. On an H200 the cap holds
// the clock at 1.56 to 1.77 GHz, at which 98 to 99 % of the units' rate is reached; 1 and 3 warpgroups, 1 and
// 4 tiles came out within 3 %. cuBLAS runs in the same process as the rate to beat.
#include "kernels/core/buffer.hpp"
#include "kernels/core/cublas.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/bounds/tensor_tiles.cuh"

#include "models/core/facts.hpp"

#include <cmath>
#include <cstring>

namespace perfmodel::kernels {
namespace {

// ||got - want|| / ||want|| of the first block; every other block must have the same bits.
template <Format format>
double error_of(const std::vector<std::uint32_t>& got, const Operand<format>& a, const Operand<format>& b,
                int trips) {
  constexpr int k = Operand<format>::k;
  double squares = 0, norm = 0;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) {
      double want = 0;
      for (int i = 0; i < k; ++i) want += a.value[row * k + i] * b.value[column * k + i];
      want *= trips;
      const std::uint32_t bits = got[row * columns + column];
      float as_float = 0;
      std::memcpy(&as_float, &bits, sizeof as_float);
      const double have = format == Format::int8 ? double(static_cast<std::int32_t>(bits)) : double(as_float);
      squares += (have - want) * (have - want);
      norm += want * want;
    }
  for (std::size_t i = rows * columns; i < got.size(); ++i)
    if (got[i] != got[i % (rows * columns)]) return INFINITY;
  return std::sqrt(squares / norm);
}

template <Format format>
void measure_format(Session& session, Report& report, const std::string& precision,
                    const Key<PerCycle>& throughput) {
  session.say("tensor rate: " + precision);
  const Operand<format> a(rows, 1), b(columns, 2);
  const Buffer<uint4> a_device(a.stored), b_device(b.stored);
  const unsigned blocks = session.device.sm_count();
  Buffer<std::uint32_t> d(std::size_t{blocks} * rows * columns);
  Buffer<ClockReading> clock(1);
  PERFMODEL_CUDA(cudaFuncSetAttribute(multiply_tiles<format>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      shared_bytes));
  const auto launch = [&](cudaStream_t stream, int trips) {
    multiply_tiles<format><<<blocks, threads, shared_bytes, stream>>>(a_device.data(), b_device.data(),
                                                                      d.data(), trips, clock.data());
  };

  d.poison();
  launch(session.stream, 3);
  session.stream.synchronize();
  if (!report.verify(error_of(d.to_host(), a, b, 3) <= Element<format>::tolerance, precision + " product"))
    return;

  const int trips = trips_for(session, 5e-3, launch);
  const double operations = 2.0 * blocks * rows * columns * Operand<format>::k * trips;
  // Longer than usual: the power cap needs a while to find its clock.
  const Repeat repeat{.samples = 11, .warm_up = session.quick() ? 0.1 : 0.5};
  const Measurement rate =
      rate_of(sample(
                  session, repeat, [&](cudaStream_t s) { launch(s, trips); }, clock.data()),
              operations);
  report.row({precision, "wgmma"}, rate, arithmetic_limit(session, throughput, rate.clock()));
  report.constant("sustained." + precision + "_tensor", rate);
  if (session.quick()) return;
  const CublasRate cublas = cublas_rate(session, precision);
  if (cublas.rate)
    report.row({precision, "cuBLAS"}, *cublas.rate);
  else
    report.note(precision + " is not compared: " + cublas.why);
}

ProbeResult run(Session& session) {
  Report report("tensor rate", {{"precision", {}}, {"program", {}}}, "rate", unit_of<FlopsPerSecond>());
  if (!session.device.is_hopper()) {
    report.note("no tensor kernel for compute capability " + session.device.compute_capability() +
                " yet: wgmma is Hopper's (9.0)");
    return report.take();
  }
  measure_format<Format::bf16>(session, report, "bf16", facts::throughput_bf16_tensor);
  measure_format<Format::fp16>(session, report, "fp16", facts::throughput_fp16_tensor);
  measure_format<Format::tf32>(session, report, "tf32", facts::throughput_tf32_tensor);
  measure_format<Format::fp8>(session, report, "fp8", facts::throughput_fp8_tensor);
  measure_format<Format::int8>(session, report, "int8", facts::throughput_int8_tensor);
  return report.take();
}

} // namespace

extern const Probe tensor_rate{.name = "tensor-rate",
                               .order = 590,
                               .model = "roofline",
                               .measures = "peak rate of the tensor units per precision, beside cuBLAS",
                               .provides = {"sustained.bf16_tensor", "sustained.fp16_tensor",
                                            "sustained.tf32_tensor", "sustained.fp8_tensor",
                                            "sustained.int8_tensor"},
                               .run = run};

} // namespace perfmodel::kernels
