// DRAM triad bandwidth: a = b + s c in fp64, two loads and one store, three streams.
// One shot, one double2 per thread and stream, blocks of 128: 4415 GB/s on an H200. Tried there: 2 and 4
// vectors per thread the same at best, blocks of 1024 the same, single doubles from 4420 (128 threads) down
// to 3990 (1024), a resident grid 5 % less.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include <cmath>

namespace perfmodel::kernels {
namespace dram_triad_probe {
namespace {

constexpr int threads = 128, period = 4096;

__global__ void __launch_bounds__(threads) triad(double2* a, const double2* b, const double2* c, double s) {
  const std::size_t i = blockIdx.x * std::size_t{threads} + threadIdx.x;
  const double2 x = __ldcs(b + i), y = __ldcs(c + i);
  __stcs(a + i, make_double2(fma(s, y.x, x.x), fma(s, y.y, x.y)));
}

ProbeResult run(Session& session) {
  Report report("DRAM triad", {{"ceiling", {}}, {"level", {}}}, "bandwidth", unit_of<BytesPerSecond>());
  const std::size_t count = session.buffer_bytes(std::size_t{8} << 30) / sizeof(double);
  Buffer<double> a(count), b(count), c(count);
  const double s = 0.4;
  std::vector<double> b_period, c_period, expected;
  for (int i = 0; i < period; ++i) {
    b_period.push_back(1 + 0.37 * i);
    c_period.push_back(std::sqrt(2.0 + i));
    expected.push_back(std::fma(s, c_period.back(), b_period.back()));
  }
  fill_periodic(b.data(), count, b_period, session.stream);
  fill_periodic(c.data(), count, c_period, session.stream);
  a.poison();
  const auto launch = [&](cudaStream_t stream) {
    triad<<<static_cast<unsigned>(count / 2 / threads), threads, 0, stream>>>(
        reinterpret_cast<double2*>(a.data()), reinterpret_cast<const double2*>(b.data()),
        reinterpret_cast<const double2*>(c.data()), s);
  };

  launch(session.stream);
  if (!report.verify(periodic_differences(a.data(), count, expected, session.stream) == 0, "b + s c"))
    return report.take();

  const Measurement bandwidth = middle_run(
      session, [&] { return rate_of(sample(session, usual(session), launch), 3 * double(a.bytes())); });
  report.row({"DRAM triad", "dram"}, bandwidth, pin_limit(session));
  report.constant("sustained.dram.triad", bandwidth);
  return report.take();
}

} // namespace
} // namespace dram_triad_probe

extern const Probe dram_triad{.name = "dram-triad",
                              .order = 420,
                              .model = "roofline",
                              .measures = "DRAM bandwidth, fp64 triad: two loads, one store",
                              .provides = {"sustained.dram.triad"},
                              .run = dram_triad_probe::run};

} // namespace perfmodel::kernels
