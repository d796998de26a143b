// Power of a GPU at work, from NVML's count of energy while one kernel runs for seconds. What a flop, a byte
// and a second cost cannot be told apart by streams of rising intensity alone, because work and time rise
// together there. So arithmetic without memory runs on some of the SMs too (the same flops take longer, and
// the GPU's constant power tells itself), and words are read from L2 as well as from device memory.
// `energy-costs` measures the points that the costs are fitted to, `energy` others, which are held against
// them.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.hpp"
#include "kernels/core/power.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/vector_access.cuh"
#include "kernels/probes/bounds/energy_load.hpp"
#include "kernels/probes/bounds/intensity_kernel.cuh"

#include "models/bounds/energy_fit.hpp"

#include <cmath>
#include <string>

namespace perfmodel::kernels {
namespace {

constexpr int chain_threads = 1024, chains = 8, chain_body = 512;

// Bits at random in [1/2, 1): energy goes into wires that change, and equal or round numbers change few.
template <class T> __host__ __device__ T scattered(std::size_t i) {
  std::uint64_t x = (i + 1) * 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return T(0.5) + T(static_cast<double>((x ^ (x >> 31)) >> 12) * 0x1p-53);
}
template <class T> T scattered_word(std::size_t i) { return scattered<T>(i % period); }

// There and back again: x a + b, then the same undone, so that no number of steps makes the values alike.
// Constants in the code: an FMA of two registers runs at the full rate.
template <class T> struct Steps {
  static constexpr T a = T(0.8437194), b = T(0.2193571), back_a = T(1) / a, back_b = -b / a;
};

template <class T> __global__ void __launch_bounds__(chain_threads) work_in_registers(T* out, int trips) {
  T x[chains];
#pragma unroll
  for (int i = 0; i < chains; ++i) x[i] = scattered<T>(threadIdx.x * chains + i);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int step = 0; step < chain_body / chains; ++step)
#pragma unroll
      for (int i = 0; i < chains; ++i)
        x[i] = step % 2 == 0 ? fma(x[i], Steps<T>::a, Steps<T>::b)
                             : fma(x[i], Steps<T>::back_a, Steps<T>::back_b);
  T sum = 0;
#pragma unroll
  for (int i = 0; i < chains; ++i) sum += x[i];
  out[blockIdx.x * chain_threads + threadIdx.x] = sum;
}

// One block on each of `sms` SMs: its shared memory leaves no room for a second.
template <class T> EnergyLoad register_load(Session& session, int sms) {
  const auto out = std::make_shared<Buffer<T>>(std::size_t(sms) * chain_threads);
  const std::size_t shared = session.device.properties.sharedMemPerBlockOptin;
  PERFMODEL_CUDA(cudaFuncSetAttribute(work_in_registers<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      static_cast<int>(shared)));
  const auto launch = [out, sms, shared](cudaStream_t stream, int trips) {
    work_in_registers<T><<<sms, chain_threads, shared, stream>>>(out->data(), trips);
  };
  out->poison();
  launch(session.stream, 2);
  session.stream.synchronize();
  bool right = true;
  const std::vector<T> got = out->to_host();
  for (int thread = 0; thread < chain_threads; ++thread) {
    T want = 0;
    for (int i = 0; i < chains; ++i) {
      T x = scattered<T>(thread * chains + i);
      for (int step = 0; step < 2 * chain_body / chains; ++step)
        x = step % 2 == 0 ? std::fma(x, Steps<T>::a, Steps<T>::b)
                          : std::fma(x, Steps<T>::back_a, Steps<T>::back_b);
      want += x;
    }
    for (std::size_t i = thread; i < got.size(); i += chain_threads) right = right && got[i] == want;
  }
  const int trips = trips_for(session, 0.02, launch);
  return {.launch = [launch, trips](cudaStream_t stream) { launch(stream, trips); },
          .flops = 2.0 * sms * chain_threads * chain_body * trips,
          .right = right,
          .buffers = out};
}

// `fmas` FMAs on every word of a stream from device memory: the kernel of the walk along the roofline.
template <class T, int body> EnergyLoad stream_load(Session& session, int bodies) {
  struct Buffers {
    Buffer<T> in;
    Buffer<std::uint32_t> total{1};
  };
  constexpr bool ahead = true;
  const T a = T(0.999), b = T(0.001);
  const std::size_t block_words = std::size_t{round_words<T, ahead> * rounds<ahead>};
  const auto buffers =
      std::make_shared<Buffers>(Buffers{Buffer<T>(session.buffer_bytes(std::size_t{8} << 30) / sizeof(T))});
  std::vector<T> one_period;
  for (int i = 0; i < period; ++i) one_period.push_back(scattered_word<T>(i));
  fill_periodic(buffers->in.data(), buffers->in.size(), one_period, session.stream);
  const auto blocks = static_cast<unsigned>(buffers->in.size() / block_words);
  const auto run = [buffers, a, b, bodies](cudaStream_t stream, unsigned grid, bool report) {
    stream_and_compute<T, 1, body, ahead>
        <<<grid, threads, 0, stream>>>(buffers->in.data(), buffers->total.data(), a, b, bodies, report);
  };
  buffers->total.clear();
  run(session.stream, blocks / 16, true);
  session.stream.synchronize();
  const bool right = buffers->total.to_host()[0] ==
                     expected_sum<T, ahead>(blocks / 16, 1, body * bodies, a, b, scattered_word<T>);
  const double words = static_cast<double>(buffers->in.size());
  return {.launch = [run, blocks](cudaStream_t stream) { run(stream, blocks, false); },
          .flops = 2.0 * body * bodies * words,
          .dram_bytes = words * sizeof(T),
          .right = right,
          .buffers = buffers};
}

// Blocks that read what L2 holds, again and again, with FMAs on every word.
constexpr int reread_threads = 512, reread_loads = 4, reread_chunk = reread_threads * reread_loads;

template <int fmas>
__global__ void __launch_bounds__(reread_threads)
    reread(const uint4* in, unsigned vectors, float* out, float a, int trips) {
  unsigned at = blockIdx.x * reread_chunk % vectors;
  const unsigned ahead = gridDim.x * reread_chunk % vectors;
  float sum[4] = {};
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    uint4 v[reread_loads];
#pragma unroll
    for (int i = 0; i < reread_loads; ++i) v[i] = load_from_l2(in + at + i * reread_threads + threadIdx.x);
#pragma unroll
    for (int i = 0; i < reread_loads; ++i) {
      const float word[4] = {__uint_as_float(v[i].x), __uint_as_float(v[i].y), __uint_as_float(v[i].z),
                             __uint_as_float(v[i].w)};
#pragma unroll
      for (int k = 0; k < 4; ++k)
#pragma unroll
        for (int n = 0; n < fmas; ++n) sum[k] = fmaf(sum[k], a, word[k]);
    }
    at += ahead;
    if (at >= vectors) at -= vectors;
  }
  out[blockIdx.x * reread_threads + threadIdx.x] = sum[0] + sum[1] + sum[2] + sum[3];
}

template <int fmas> EnergyLoad l2_load(Session& session) {
  struct Buffers {
    Buffer<float> in;
    Buffer<float> out;
  };
  const int blocks = 2 * session.device.sm_count();
  const std::size_t step = std::size_t{reread_chunk} * sizeof(uint4);
  const std::size_t bytes =
      std::max<std::size_t>(1, static_cast<std::size_t>(0.7 * session.device.properties.l2CacheSize) / step) *
      step;
  const auto buffers = std::make_shared<Buffers>(
      Buffers{Buffer<float>(bytes / sizeof(float)), Buffer<float>(std::size_t(blocks) * reread_threads)});
  std::vector<float> one_period;
  for (int i = 0; i < period; ++i) one_period.push_back(scattered_word<float>(i));
  fill_periodic(buffers->in.data(), buffers->in.size(), one_period, session.stream);
  const auto vectors = static_cast<unsigned>(bytes / sizeof(uint4));
  const float a = 0.5F;
  const auto launch = [buffers, vectors, blocks, a](cudaStream_t stream, int trips) {
    reread<fmas><<<blocks, reread_threads, 0, stream>>>(reinterpret_cast<const uint4*>(buffers->in.data()),
                                                        vectors, buffers->out.data(), a, trips);
  };
  buffers->out.poison();
  launch(session.stream, 2);
  session.stream.synchronize();
  bool right = true;
  const std::vector<float> got = buffers->out.to_host();
  for (std::size_t at = 0; at < got.size(); at += 97) {
    float sum[4] = {};
    for (unsigned trip = 0; trip < 2; ++trip)
      for (int i = 0; i < reread_loads; ++i)
        for (int k = 0; k < 4; ++k) {
          const std::size_t first =
              (at / reread_threads + std::size_t{trip} * blocks) * reread_chunk % vectors;
          const std::size_t word = 4 * (first + i * reread_threads + at % reread_threads) + k;
          for (int n = 0; n < fmas; ++n) sum[k] = std::fma(sum[k], a, scattered_word<float>(word));
        }
    right = right && got[at] == sum[0] + sum[1] + sum[2] + sum[3];
  }
  const int trips = trips_for(session, 0.02, launch);
  const double words = 4.0 * blocks * reread_chunk * trips;
  return {.launch = [launch, trips](cudaStream_t stream) { launch(stream, trips); },
          .flops = 2.0 * fmas * words,
          .l2_bytes = 4 * words,
          .right = right,
          .buffers = buffers};
}

// Where to measure. Kernels that read no memory stand at an intensity so high that bytes cost nothing.
constexpr double without_memory = 1e6; // flop/B

struct Point {
  std::string precision, level;
  double of_sms = 1;
  std::function<std::optional<EnergyLoad>(Session&, int sms)> load;
};

template <class T> Point registers(double of_sms) {
  return {sizeof(T) == 4 ? "fp32" : "fp64", "dram", of_sms,
          [](Session& s, int sms) { return register_load<T>(s, sms); }};
}
Point tensor(double of_sms) { return {"bf16", "dram", of_sms, tensor_load}; }
template <class T, int body> Point stream(int bodies = 1) {
  return {sizeof(T) == 4 ? "fp32" : "fp64", "dram", 1,
          [bodies](Session& s, int) { return stream_load<T, body>(s, bodies); }};
}
template <int fmas> Point from_l2() {
  return {"fp32", "l2", 1, [](Session& s, int) { return l2_load<fmas>(s); }};
}

std::vector<Point> fitted_points(bool quick) {
  if (quick) return {registers<float>(1), registers<float>(0.5), stream<float, 1>()};
  return {registers<float>(1),  registers<float>(0.5),  registers<float>(0.25),
          registers<double>(1), registers<double>(0.5), registers<double>(0.25),
          tensor(0.5),          tensor(1.0 / 3),        tensor(1.0 / 6),
          stream<float, 1>(),   stream<float, 8>(),     stream<float, 16>(16),
          stream<double, 1>(),  stream<double, 2>(),    from_l2<1>(),
          from_l2<16>()};
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
                {{"precision", {}}, {"level", {}}, {"sms", {}}, {"intensity", unit_of<FlopsPerByte>()}},
                "power", unit_of<Watts>());
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
    report.row({p.precision, p.level, std::int64_t{sms}, intensity},
               Measurement{.values = s.power, .sm_clock = s.sm_clock});
    const double rate = s.launches_per_second;
    report.note(name + (bytes > 0 ? " at " + std::to_string(intensity) + " flop/B" : "") + ": " +
                std::to_string(s.watts()) + " W, " + std::to_string(rate * load->flops * 1e-12) +
                " Tflop/s, " + std::to_string(rate * bytes * 1e-12) + " TB/s" +
                (s.capped ? ", held by the power cap" : ""));
    if (seen != nullptr && !s.capped)
      seen->push_back({.precision = p.precision,
                       .flops = rate * load->flops,
                       .dram_bytes = rate * load->dram_bytes,
                       .l2_bytes = rate * load->l2_bytes,
                       .power = s.watts()});
  }
  return report.take();
}

ProbeResult run_costs(Session& session) {
  std::vector<EnergySample> seen;
  ProbeResult result = measure_points(session, fitted_points(session.quick()), &seen);
  for (const EnergyCost& cost : fit_energy(seen))
    result.constants.push_back({cost.fact, cost.value, cost.low, cost.high, {}, {}, {}});
  return result;
}

ProbeResult run_points(Session& session) {
  return measure_points(session, other_points(session.quick()), nullptr);
}

} // namespace

extern const Probe energy_costs{
    .name = "energy-costs",
    .order = 640,
    .model = "energy",
    .measures = "power of kernels that run for seconds: what a flop, a byte and a second cost",
    .provides = {"energy.fp32", "energy.fp64", "energy.bf16_tensor", "energy.dram", "energy.l2",
                 "power.constant"},
    .run = run_costs};

extern const Probe energy{.name = "energy",
                          .order = 650,
                          .model = "energy",
                          .measures = "power of other kernels that run for seconds, held against those costs",
                          .run = run_points};

} // namespace perfmodel::kernels
