// How many requests for single sectors L2 takes per second: every lane of a warp loads, or stores, one word
// of a line of its own. 16 MiB, which L2 holds; warps that follow one another access neighbouring words of
// the same lines, as the columns of a matrix are accessed. Loads pass L1 by.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

namespace perfmodel::kernels {
namespace {

constexpr unsigned threads = 256, line_words = 32, lanes = 32;
constexpr std::size_t words = std::size_t{4} << 20;
constexpr unsigned groups = words / (lanes * line_words), requests = words / lanes;
constexpr int batch = 8; // requests of a warp that are under way together

// Word of the lane of request k: group k / 32 of as many lines, word k mod 32 of each.
__device__ inline std::size_t word_of(unsigned k, unsigned lane) {
  return std::size_t{k / line_words % groups} * (lanes * line_words) + lane * line_words + k % line_words;
}

__global__ void __launch_bounds__(threads)
    load_words(const std::uint32_t* data, std::uint32_t* total, int trips, bool report) {
  const unsigned warp = (blockIdx.x * threads + threadIdx.x) / lanes, warps = gridDim.x * threads / lanes;
  std::uint32_t sum = 0;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    std::uint32_t v[batch];
#pragma unroll
    for (int i = 0; i < batch; ++i)
      asm volatile("ld.global.cg.u32 %0, [%1];"
                   : "=r"(v[i])
                   : "l"(data + word_of(warp + (trip * batch + i) * warps, threadIdx.x % lanes)));
#pragma unroll
    for (int i = 0; i < batch; ++i) sum += v[i];
  }
  if (report || sum == 0x9E3779B9u) atomicAdd(total, sum);
}

// Writes the pattern.
__global__ void __launch_bounds__(threads) store_words(std::uint32_t* data, int trips) {
  const unsigned warp = (blockIdx.x * threads + threadIdx.x) / lanes, warps = gridDim.x * threads / lanes;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      const std::size_t word = word_of(warp + (trip * batch + i) * warps, threadIdx.x % lanes);
      asm volatile("st.global.u32 [%0], %1;" ::"l"(data + word), "r"(pattern(word)) : "memory");
    }
}

class Requests {
public:
  explicit Requests(Session& session)
      : session_(session), blocks_(static_cast<unsigned>(session.device.sm_count()) * 8), data_(words / 4),
        total_(1), warps_(blocks_ * threads / lanes), trips_((8 * requests / warps_ + batch - 1) / batch) {
    data_.poison();
    PERFMODEL_CUDA(cudaDeviceSynchronize());
  }
  void load(bool report = false) {
    load_words<<<blocks_, threads, 0, session_.stream>>>(at(), total_.data(), trips_, report);
    PERFMODEL_CUDA(cudaGetLastError());
  }
  void store() {
    store_words<<<blocks_, threads, 0, session_.stream>>>(at(), trips_);
    PERFMODEL_CUDA(cudaGetLastError());
  }
  double count() const { return double(warps_) * trips_ * batch * lanes; } // of a launch

  bool stores_right() {
    store();
    return pattern_differences(data_.data(), data_.size(), session_.stream) == 0;
  }
  bool loads_right() { // after stores
    total_.clear();
    PERFMODEL_CUDA(cudaDeviceSynchronize());
    load(true);
    session_.stream.synchronize();
    std::uint32_t want = 0;
    for (unsigned k = 0; k < warps_ * trips_ * batch; ++k)
      for (unsigned lane = 0; lane < lanes; ++lane)
        want += pattern_sum(
            k / line_words % groups * (lanes * line_words) + lane * line_words + k % line_words, 1);
    return total_.to_host()[0] == want;
  }

private:
  std::uint32_t* at() { return reinterpret_cast<std::uint32_t*>(data_.data()); }

  Session& session_;
  unsigned blocks_;
  Buffer<uint4> data_;
  Buffer<std::uint32_t> total_;
  unsigned warps_;
  int trips_;
};

ProbeResult run(Session& session) {
  Report report("requests for single sectors in L2", {{"access", {}}}, "requests_per_second",
                unit_of<Quantity<0, 0, 0, -1, 0>>());
  Requests bench(session);
  const auto rate = [&](const char* access, bool right, const Launch& launch, std::string_view constant) {
    session.say(std::string("L2: single sectors, ") + access);
    if (!report.verify(right, access)) return;
    const Measurement m =
        middle_run(session, [&] { return rate_of(sample(session, usual(session), launch), bench.count()); });
    report.row({std::string(access)}, m);
    report.constant(constant, m);
  };
  rate(
      "store", bench.stores_right(), [&](cudaStream_t) { bench.store(); }, "l2.scatter_rate");
  rate(
      "load", bench.loads_right(), [&](cudaStream_t) { bench.load(); }, "l2.gather_rate");
  return report.take();
}

} // namespace

extern const Probe l2_requests{
    .name = "l2-requests",
    .order = 330,
    .measures = "requests for single sectors, each of a line of its own, that L2 takes per second",
    .provides = {"l2.scatter_rate", "l2.gather_rate"},
    .run = run};

} // namespace perfmodel::kernels
