// How a warp waits for what it copies from global to shared memory on its way past the registers (cp.async):
// it commits its copies to a group and waits until few enough groups are under way. With nothing under way
// that takes the way through the SM's memory path and back; behind a copy the warp goes on later than it
// would with the same bytes loaded; of many warps the SM handles one commit after the other.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/concurrency/steady_cycles.cuh"
#include "kernels/probes/concurrency/step_cycles.hpp"

namespace perfmodel::kernels {
namespace copy_commit_probe {
namespace {

enum class Way { nothing, copied, loaded };

constexpr int body = 16, short_run = 4, long_run = 12, threads = 1024, resident = 2;
constexpr unsigned line_vectors = 32; // of a warp's access, 16 B a lane

__device__ inline void commit_and_wait() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;\ncp.async.wait_group 0;" ::: "memory");
#endif
}
__device__ inline void copy_past_l1(unsigned to, const uint4* from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
#endif
}
// A lane's vector holds nothing but its number.
__device__ inline unsigned load_past_l1(const uint4* from) {
  uint4 v;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from)
               : "memory");
  return v.x | v.y | v.z | v.w;
}

// One warp alone on its SM, each step behind the one before.
template <Way way>
__global__ void __launch_bounds__(32)
    waits(const uint4* data, unsigned* found, int trips, long long* cycles) {
  __shared__ uint4 copies[line_vectors];
  const auto to = static_cast<unsigned>(__cvta_generic_to_shared(&copies[threadIdx.x]));
  unsigned at = threadIdx.x;
  __syncwarp();
  const long long start = cycles_now();
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < body; ++i) {
      if constexpr (way == Way::copied) copy_past_l1(to, data + at);
      if constexpr (way == Way::loaded) at = load_past_l1(data + at);
      if constexpr (way != Way::loaded) commit_and_wait();
    }
  if constexpr (way == Way::copied) at = copies[threadIdx.x].x;
  found[threadIdx.x] = at; // needs the last result: the clock is not read before it is there
  __syncwarp();
  if (threadIdx.x == 0) *cycles = cycles_now() - start;
}

__global__ void __launch_bounds__(threads) commits_of_many(int trips, BlockSpan* spans) {
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < body; ++i) commit_and_wait();
  span_stop(spans);
}

class Waits {
public:
  Waits(Session& session, Report& report) : session_(session), report_(report), data_(numbers()) {}

  template <Way way> Measurement step(std::string name) {
    const auto cycles = [&](int trips) {
      waits<way><<<1, 32, 0, session_.stream>>>(data_.data(), found_.data(), trips, cycles_.data());
      PERFMODEL_CUDA(cudaGetLastError());
      session_.stream.synchronize();
      return static_cast<double>(cycles_.to_host()[0]);
    };
    found_.poison();
    cycles(long_run);
    const std::vector<unsigned> found = found_.to_host();
    for (unsigned lane = 0; lane < 32; ++lane) report_.verify(found[lane] == lane, "words of " + name);
    Measurement m = cycles_of_step(session_, {short_run, long_run, body}, cycles);
    report_.row({std::move(name)}, m);
    return m;
  }
  // Cycles of a full SM for one of a warp.
  Measurement of_many() {
    const int blocks = resident * session_.device.sm_count();
    Buffer<BlockSpan> spans(static_cast<std::size_t>(blocks));
    Measurement m = cycles_per_trip(session_, spans, resident, [&](int trips) {
      commits_of_many<<<static_cast<unsigned>(blocks), threads, 0, session_.stream>>>(trips, spans.data());
    });
    for (double& value : m.values) value /= double(body) * resident * threads / 32;
    report_.row({std::string("commits, full SMs")}, m);
    return m;
  }

private:
  static std::vector<uint4> numbers() {
    std::vector<uint4> all;
    for (unsigned i = 0; i < line_vectors; ++i) all.push_back({i, i, i, i});
    return all;
  }

  Session& session_;
  Report& report_;
  Buffer<uint4> data_;
  Buffer<unsigned> found_{32};
  Buffer<long long> cycles_{1};
};

ProbeResult run(Session& session) {
  session.say("copies to shared memory: commit and wait");
  Report report("a commit of copies to shared memory and the wait for it", {{"behind", {}}}, "cycles",
                unit_of<Cycles>());
  if (session.device.properties.major < 8) {
    report.note("no copies past the registers before compute capability 8.0");
    return report.take();
  }
  Waits bench(session, report);
  const Measurement nothing = bench.step<Way::nothing>("nothing");
  bench.step<Way::copied>("a copy of 512 B");
  bench.step<Way::loaded>("none: a load of 512 B");
  report.constant("copy_commit.latency", nothing);
  report.constant("copy_commit.interval", bench.of_many());
  return report.take();
}

} // namespace
} // namespace copy_commit_probe

extern const Probe copy_commit{
    .name = "copy-commit",
    .order = 194,
    .measures = "cycles of a commit of copies to shared memory and the wait for it, alone and behind a copy",
    .provides = {"copy_commit.latency", "copy_commit.interval"},
    .run = copy_commit_probe::run};

} // namespace perfmodel::kernels
