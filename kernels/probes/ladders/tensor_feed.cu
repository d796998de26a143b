// The rate of the tensor units while the copy engine feeds them from L2: the products of the ladder, of 2048
// rows and columns, which L2 holds but for a little of the fp32 matrices, and with sums that go through them
// again and again, so that stores and first loads do not count. On an H200 (2026-11-22) 128 SMs sustain 88 %
// of what their units could at the clock that the power cap leaves, 1.65 GHz in bf16; alone (tensor-rate)
// they sustain 98 % at the same clock.
// What sums of one length take beside an eighth of what eight lengths more take is the start of a product:
// the turn of launches, the first boxes, and the stores of one tile; where 128 SMs do so at a time, and where
// 8 do. It moves with the clock: in bf16 4.1 us of 8 SMs and 4.8 of 128 measured by themselves, 5.9 and 5.6
// right after other probes of the tensor units.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/ladders/in_a_row.hpp"
#include "kernels/probes/ladders/matmul_operands.cuh"
#include "kernels/probes/ladders/matmul_tensor.hpp"

#include "models/core/facts.hpp"

#include <cuda_bf16.h>

namespace perfmodel::kernels {
namespace tensor_feed_probe {
namespace {

constexpr int n = 2048, few = 512; // 128 and 8 tiles of either precision

template <class T> __global__ void add_twice(const float* from, T* once, T* twice, std::size_t count) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    once[i] = T(from[i]);
    twice[i] = T(2 * from[i]); // exactly twice `once`
  }
}

template <class T> struct Operand {
  Buffer<T> once{std::size_t{n} * n}, twice{std::size_t{n} * n};

  Operand(Session& session, unsigned long long seed) {
    Buffer<float> random(once.size());
    fill_uniform<<<1024, 256, 0, session.stream>>>(random.data(), random.size(), seed);
    add_twice<<<1024, 256, 0, session.stream>>>(random.data(), once.data(), twice.data(), once.size());
    PERFMODEL_CUDA(cudaGetLastError());
    session.stream.synchronize();
  }
};

template <class T> StoredMatrix stored(const Buffer<T>& words, int rows = n) {
  return {words.data(), sizeof(T) == 2 ? Stored::bf16 : Stored::fp32, rows, rows};
}

// Beside the sums: `seconds` of sums that are so many times as long.
template <class Seconds> Measurement start_of(const Seconds& seconds) {
  constexpr int more = 8;
  Measurement start = seconds(1);
  const Measurement longer = seconds(1 + more);
  for (std::size_t i = 0; i < start.values.size(); ++i)
    start.values[i] -= (longer.values[i] - start.values[i]) / more;
  return start;
}

template <class T, class Product>
void measure(Session& session, Report& report, const std::string& precision, Rounding rounding,
             const Key<PerCycle>& throughput, Product product) {
  session.say("tensor units that are fed: " + precision);
  const Operand<T> a(session, 1), b(session, 2);
  Buffer<T> c(a.once.size());
  c.poison();
  product(stored(a.once), stored(b.once), c.data(), 2)(session.stream);
  const ProductError error = product_error(stored(a.twice), stored(b.once), stored(c), session.stream);
  const std::string off = beyond(error, rounding.of_element(2 * n));
  if (!report.verify(off.empty(), precision + ", " + off)) return;

  const auto start = [&](int rows) {
    return start_of([&](int times) {
      const Launch some = product(stored(a.once, rows), stored(b.once, rows), c.data(), times);
      return seconds_in_a_row(session, [&] { some(session.stream); });
    });
  };
  report.constant("tensor." + precision + "_start", start(few));
  report.constant("tensor." + precision + "_start_of_all", start(n));

  const auto launch = [&](cudaStream_t stream, int times) {
    product(stored(a.once), stored(b.once), c.data(), times)(stream);
  };
  const int times = trips_for(session, 5e-3, launch);
  const Launch longest = product(stored(a.once), stored(b.once), c.data(), times);
  const Repeat repeat{.samples = 11, .warm_up = session.quick() ? 0.1 : 0.5}; // as the units alone
  const Measurement rate = rate_of(sample(session, repeat, longest), 2.0 * n * n * n * times);
  report.row({precision}, rate, arithmetic_limit(session, throughput, rate.clock()));
  report.constant("sustained." + precision + "_tensor_fed", rate);
}

ProbeResult run(Session& session) {
  Report report("tensor units fed from L2", {{"precision", {}}}, "rate", unit_of<FlopsPerSecond>());
  if (!session.device.is_hopper()) {
    report.note("no tensor kernel for compute capability " + session.device.compute_capability() +
                " yet: wgmma is Hopper's (9.0)");
    return report.take();
  }
  measure<__nv_bfloat16>(session, report, "bf16", {.tensor = true, .result = bf16_rounding},
                         facts::throughput_bf16_tensor, tensor_bf16_product);
  measure<float>(session, report, "tf32", {.operand = tf32_rounding, .tensor = true},
                 facts::throughput_tf32_tensor, tensor_tf32_product);
  return report.take();
}

} // namespace
} // namespace tensor_feed_probe

extern const Probe tensor_feed{
    .name = "tensor-feed",
    .order = 600,
    .model = "matmul",
    .measures = "rate of the tensor units while the copy engine feeds them from L2",
    .provides = {"sustained.bf16_tensor_fed", "sustained.tf32_tensor_fed", "tensor.bf16_start",
                 "tensor.tf32_start", "tensor.bf16_start_of_all", "tensor.tf32_start_of_all"},
    .run = tensor_feed_probe::run};

} // namespace perfmodel::kernels
