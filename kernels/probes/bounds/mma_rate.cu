// Matrix products of single warps (mma.sync), operands in registers: how many results an SM makes in a cycle,
// and how long one takes. On Hopper they run at two thirds of the rate that four warps together reach (wgmma,
// tensor-rate); before it there is nothing else.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include <string>

namespace perfmodel::kernels {
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

// Of 16 warps of an SM with four chains each, or of one with one.
template <class Op, class T, int chains>
void measure(Session& session, Report& report, const std::string& precision, const std::string& fact) {
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
  Measurement cycles{.values = {}, .sm_clock = times.sm_clock}, rate = cycles;
  for (std::size_t i = 0; i < times.seconds.size(); ++i) {
    const double of_one = times.seconds[i] * times.sm_clock[i] / (double(trips) * unroll * threads / 32);
    cycles.values.push_back(of_one);
    rate.values.push_back(m * n * Op::k / of_one);
  }
  report.row({precision, std::int64_t{threads / 32}, std::int64_t{chains}}, rate);
  report.constant(fact, chains > 1 ? rate : cycles);
}

ProbeResult run(Session& session) {
  session.say("matrix products of warps");
  Report report("results of matrix products of single warps, per cycle and SM",
                {{"precision", {}}, {"warps", {}}, {"chains", {}}}, "rate", unit_of<PerCycle>());
  if (session.device.properties.major < 8) {
    report.note("no products of these shapes before compute capability 8.0");
    return report.take();
  }
  measure<Fp16, float, 4>(session, report, "fp16", "throughput.mma_fp16");
  measure<Tf32, float, 4>(session, report, "tf32", "throughput.mma_tf32");
  measure<Int8, int, 4>(session, report, "int8", "throughput.mma_int8");
  measure<Fp16, float, 1>(session, report, "fp16", "latency.mma_fp16");
  return report.take();
}

} // namespace

extern const Probe mma_rate{
    .name = "mma-rate",
    .order = 592,
    .measures = "matrix products of single warps (mma.sync): results per cycle and SM, and latency",
    .provides = {"throughput.mma_fp16", "throughput.mma_tf32", "throughput.mma_int8", "latency.mma_fp16"},
    .run = run};

} // namespace perfmodel::kernels
