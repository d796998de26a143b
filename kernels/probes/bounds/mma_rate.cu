// Matrix products of single warps (mma.sync), operands in registers: how many results an SM makes in a cycle,
// and how long one takes. On Hopper they run at two thirds of the rate that four warps together reach (wgmma,
// tensor-rate); before it there is nothing else. Those of few terms come no faster than some interval allows,
// which that of half as many terms as the largest shows.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include <string>

namespace perfmodel::kernels {
namespace mma_rate_probe {
namespace {

constexpr int m = 16, n = 8, unroll = 16;

// D += A B of one warp, all elements of A and B one: each element of D grows by k.
struct Fp16 {
  static constexpr int k = 16;
  static constexpr unsigned one = 0x3C003C00;
  static __device__ void multiply(float (&d)[4], unsigned a) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, "
                 "{%4, %4}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a));
  }
};
// Of half as many terms.
struct ShortFp16 {
  static constexpr int k = 8;
  static constexpr unsigned one = 0x3C003C00;
  static __device__ void multiply(float (&d)[4], unsigned a) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%4}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a));
  }
};
struct Tf32 {
  static constexpr int k = 8;
  static constexpr unsigned one = 0x3F800000;
  static __device__ void multiply(float (&d)[4], unsigned a) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, "
                 "{%4, %4}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a));
  }
};
struct Int8 {
  static constexpr int k = 32;
  static constexpr unsigned one = 0x01010101;
  static __device__ void multiply(int (&d)[4], unsigned a) {
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %4, %4, %4}, "
                 "{%4, %4}, {%0, %1, %2, %3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a));
  }
};

template <class Op, class T, int chains>
__global__ void __launch_bounds__(512) products(T* out, unsigned one, int trips) {
  T d[chains][4] = {};
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < unroll; ++i) Op::multiply(d[i % chains], one);
  T sum = 0;
#pragma unroll
  for (int c = 0; c < chains; ++c)
#pragma unroll
    for (int i = 0; i < 4; ++i) sum += d[c][i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

enum class Gives { rate, interval, latency };

// Of 16 warps of an SM with four chains each; a latency of one with one.
template <class Op, class T, Gives gives>
void measure(Session& session, Report& report, const std::string& precision, const std::string& fact) {
  constexpr int chains = gives == Gives::latency ? 1 : 4;
  constexpr int schedulers = 4; // of an SM, since compute capability 8.0
  const auto sms = static_cast<unsigned>(session.device.sm_count());
  constexpr int threads = chains > 1 ? 512 : 32;
  Buffer<T> out(std::size_t{sms} * threads);
  const auto launch = [&](cudaStream_t stream, int trips) {
    products<Op, T, chains><<<sms, threads, 0, stream>>>(out.data(), Op::one, trips);
    PERFMODEL_CUDA(cudaGetLastError());
  };
  launch(session.stream, 8);
  session.stream.synchronize();
  bool right = true;
  for (const T sum : out.to_host()) right = right && sum == T(4 * Op::k * unroll * 8);
  if (!report.verify(right, precision + " products")) return;
  const int trips = trips_for(session, 2e-3, launch);
  const Sampled times = sample(session, usual(session), [&](cudaStream_t s) { launch(s, trips); });
  Measurement cycles{.values = {}, .sm_clock = times.sm_clock}, rate = cycles, interval = cycles;
  for (std::size_t i = 0; i < times.seconds.size(); ++i) {
    const double of_one = times.seconds[i] * times.sm_clock[i] / (double(trips) * unroll * threads / 32);
    cycles.values.push_back(of_one);
    interval.values.push_back(schedulers * of_one);
    rate.values.push_back(m * n * Op::k / of_one);
  }
  report.row({precision, std::int64_t{Op::k}, std::int64_t{threads / 32}, std::int64_t{chains}}, rate);
  report.constant(fact, gives == Gives::rate ? rate : gives == Gives::interval ? interval : cycles);
}

ProbeResult run(Session& session) {
  session.say("matrix products of warps");
  Report report("results of matrix products of single warps, per cycle and SM",
                {{"precision", {}}, {"terms", {}}, {"warps", {}}, {"chains", {}}}, "rate",
                unit_of<PerCycle>());
  if (session.device.properties.major < 8) {
    report.note("no products of these shapes before compute capability 8.0");
    return report.take();
  }
  measure<Fp16, float, Gives::rate>(session, report, "fp16", "throughput.mma_fp16");
  measure<Tf32, float, Gives::rate>(session, report, "tf32", "throughput.mma_tf32");
  measure<Int8, int, Gives::rate>(session, report, "int8", "throughput.mma_int8");
  measure<Fp16, float, Gives::latency>(session, report, "fp16", "latency.mma_fp16");
  measure<ShortFp16, float, Gives::interval>(session, report, "fp16", "issue.matrix_interval");
  measure<ShortFp16, float, Gives::latency>(session, report, "fp16", "latency.mma_short");
  return report.take();
}

} // namespace
} // namespace mma_rate_probe

extern const Probe mma_rate{
    .name = "mma-rate",
    .order = 592,
    .measures = "matrix products of single warps (mma.sync): results per cycle and SM, and latency",
    .provides = {"throughput.mma_fp16", "throughput.mma_tf32", "throughput.mma_int8", "latency.mma_fp16",
                 "issue.matrix_interval", "latency.mma_short"},
    .run = mma_rate_probe::run};

} // namespace perfmodel::kernels
