// A walk along the roofline: the DRAM read stream with FMAs added, from 1/16 to 256 flop/B in fp32 and fp64.
// Two kernels do the same work, and each point takes the faster one. `ahead` loads the words of its next
// round before it works on those of this one; else every thread has one round and the other warps of the SM
// must hide its loads. In a trial on an H200 the first reached 88 % of min(P, I x B) at the fp32 ridge
// against 82 %, the second 97 % at twice the ridge against 94 %. Below one FMA per word, FMAs are done on
// every second, fourth or eighth word only. The last FMA of every word adds it to a sum: integer additions
// instead, half as fast as FMAs, cost 3 % at twice the ridge. Every sample follows a pause: without it the
// power cap takes fp64 at the ridge down to 1.66 GHz.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/bounds/intensity_kernel.cuh"

namespace perfmodel::kernels {
namespace intensity_probe {
namespace {

template <class T> struct Kernel {
  void (*run)(const T*, std::uint32_t*, T, T, int, bool);
  std::uint32_t (*expected)(std::size_t blocks, int every, int fmas, T, T);
  std::size_t block_words;
};

// Where to measure: `body` x `bodies` FMAs on every `every`-th word.
template <class T> struct Point {
  int every, body, bodies;
  Kernel<T> kernels[2];
  double intensity() const { return 2.0 * body * bodies / every / sizeof(T); }
};

template <class T, int every, int body, bool ahead> Kernel<T> kernel() {
  return {stream_and_compute<T, every, body, ahead>, expected_sum<T, ahead>,
          std::size_t{round_words<T, ahead> * rounds<ahead>}};
}
template <class T, int every, int body> Point<T> point(int bodies) {
  return {every, body, bodies, {kernel<T, every, body, false>(), kernel<T, every, body, true>()}};
}

// The same FMAs per word serve both precisions: a word of fp64 has twice the bytes, so it is half the
// intensity.
template <class T> std::vector<Point<T>> points(bool quick) {
  if (quick)
    return {point<T, 2, 1>(1),  point<T, 1, 4>(1),  point<T, 1, 8>(1),  point<T, 1, 14>(1),
            point<T, 1, 14>(2), point<T, 1, 14>(4), point<T, 1, 16>(8), point<T, 1, 16>(32)};
  std::vector<Point<T>> list;
  if (sizeof(T) == 4) list.push_back(point<T, 8, 1>(1));
  list.insert(list.end(), {point<T, 4, 1>(1),  point<T, 2, 1>(1),   point<T, 1, 1>(1),  point<T, 1, 2>(1),
                           point<T, 1, 4>(1),  point<T, 1, 6>(1),   point<T, 1, 8>(1),  point<T, 1, 10>(1),
                           point<T, 1, 12>(1), point<T, 1, 14>(1),  point<T, 1, 16>(1), point<T, 1, 10>(2),
                           point<T, 1, 12>(2), point<T, 1, 14>(2),  point<T, 1, 16>(2), point<T, 1, 10>(4),
                           point<T, 1, 12>(4), point<T, 1, 14>(4),  point<T, 1, 16>(4), point<T, 1, 16>(6),
                           point<T, 1, 16>(8), point<T, 1, 16>(16), point<T, 1, 16>(32)});
  if (sizeof(T) == 8) list.push_back(point<T, 1, 16>(64));
  return list;
}

template <class T> bool sweep(Session& session, Report& report, const std::string& precision) {
  const T a = T(0.999), b = T(0.001);
  Buffer<T> in(session.buffer_bytes(std::size_t{session.quick() ? 2u : 8u} << 30) / sizeof(T));
  Buffer<std::uint32_t> total(1);
  std::vector<T> one_period;
  for (int i = 0; i < period; ++i) one_period.push_back(start<T>(i));
  fill_periodic(in.data(), in.size(), one_period, session.stream);

  for (const Point<T>& p : points<T>(session.quick())) {
    const std::string name = precision + " at " + std::to_string(p.intensity()) + " flop/B";
    session.say("roofline: " + name);
    const Kernel<T>* best = nullptr;
    double best_rate = 0;
    const auto rate_with = [&](const Kernel<T>& kernel, int samples) {
      const auto blocks = static_cast<unsigned>(in.size() / kernel.block_words);
      const Repeat repeat{.samples = samples, .warm_up = 0.003, .pause = session.quick() ? 0.01 : 0.02};
      return rate_of(sample(session, repeat,
                            [&](cudaStream_t stream) {
                              kernel.run<<<blocks, threads, 0, stream>>>(in.data(), total.data(), a, b,
                                                                         p.bodies, false);
                            }),
                     p.intensity() * static_cast<double>(in.bytes()));
    };
    for (const Kernel<T>& kernel : p.kernels) {
      const std::size_t blocks = in.size() / 16 / kernel.block_words;
      total.clear();
      kernel.run<<<static_cast<unsigned>(blocks), threads, 0, session.stream>>>(in.data(), total.data(), a, b,
                                                                                p.bodies, true);
      PERFMODEL_CUDA(cudaGetLastError());
      session.stream.synchronize();
      if (!report.verify(total.to_host()[0] == kernel.expected(blocks, p.every, p.body * p.bodies, a, b),
                         name))
        return false;
      const double rate = rate_with(kernel, 3).median();
      if (rate > best_rate) {
        best_rate = rate;
        best = &kernel;
      }
    }
    report.row({precision, "dram", p.intensity()}, rate_with(*best, 11));
  }
  return true;
}

ProbeResult run(Session& session) {
  Report report("kernels of rising arithmetic intensity",
                {{"precision", {}}, {"level", {}}, {"intensity", unit_of<FlopsPerByte>()}}, "performance",
                unit_of<FlopsPerSecond>());
  report.note("every sample follows a pause, so that the power cap does not lower the clock");
  if (sweep<float>(session, report, "fp32")) sweep<double>(session, report, "fp64");
  return report.take();
}

} // namespace
} // namespace intensity_probe

extern const Probe intensity{.name = "intensity",
                             .order = 500,
                             .model = "roofline",
                             .measures = "rate by arithmetic intensity, fp32 and fp64, streaming from DRAM",
                             .run = intensity_probe::run};

} // namespace perfmodel::kernels
