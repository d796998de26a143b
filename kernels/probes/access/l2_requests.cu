// How many requests for single sectors L2 takes per second: every lane of a warp loads, or stores, one word
// of a line of its own. 16 MiB, which L2 holds; warps that follow one another access neighbouring words of
// the same lines, as the columns of a matrix are accessed. Loads pass L1 by. Words stored to all four sectors
// of each line, and whole sectors alone in their lines, tell what a line takes from what a sector does.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include <functional>

namespace perfmodel::kernels {
namespace l2_requests_probe {
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

// The same, four lanes to the four sectors of a line.
__device__ inline std::size_t word_of_sectors(unsigned k, unsigned lane) {
  constexpr unsigned sectors = 4, sector_words = line_words / sectors;
  return std::size_t{k % requests / sector_words} * (lanes * sector_words) + lane * sector_words +
         k % sector_words;
}

// Writes the pattern.
template <bool four_of_a_line>
__global__ void __launch_bounds__(threads) store_words(std::uint32_t* data, int trips) {
  const unsigned warp = (blockIdx.x * threads + threadIdx.x) / lanes, warps = gridDim.x * threads / lanes;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      const unsigned k = warp + (trip * batch + i) * warps;
      const std::size_t word =
          four_of_a_line ? word_of_sectors(k, threadIdx.x % lanes) : word_of(k, threadIdx.x % lanes);
      asm volatile("st.global.u32 [%0], %1;" ::"l"(data + word), "r"(pattern(word)) : "memory");
    }
}

// The same, two lanes to a sector, sixteen lines a request.
__global__ void __launch_bounds__(threads) store_sectors(uint4* data, int trips) {
  constexpr unsigned lines = lanes / 2, line_vectors = line_words / 4, sectors = 4;
  const unsigned warp = (blockIdx.x * threads + threadIdx.x) / lanes, warps = gridDim.x * threads / lanes;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      const unsigned k = warp + (trip * batch + i) * warps, lane = threadIdx.x % lanes;
      const std::size_t line = std::size_t{k / sectors % (2 * groups)} * lines + lane / 2;
      const std::size_t vector = line * line_vectors + k % sectors * 2 + lane % 2;
      const uint4 v = pattern_vector(vector);
      asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(data + vector), "r"(v.x), "r"(v.y),
                   "r"(v.z), "r"(v.w)
                   : "memory");
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
  template <bool four_of_a_line> void store() {
    store_words<four_of_a_line><<<blocks_, threads, 0, session_.stream>>>(at(), trips_);
    PERFMODEL_CUDA(cudaGetLastError());
  }
  void store_whole() {
    store_sectors<<<blocks_, threads, 0, session_.stream>>>(data_.data(), trips_);
    PERFMODEL_CUDA(cudaGetLastError());
  }
  double count() const { return double(warps_) * trips_ * batch * lanes; } // of a launch

  bool right(const std::function<void()>& stored) {
    data_.poison();
    PERFMODEL_CUDA(cudaDeviceSynchronize());
    stored();
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
  const auto rate = [&](const char* access, bool right, const std::function<void()>& launch, double count,
                        std::string_view constant) {
    session.say(std::string("L2: single sectors, ") + access);
    if (!report.verify(right, access)) return;
    const Measurement m = middle_run(session, [&] {
      return rate_of(sample(session, usual(session), [&](cudaStream_t) { launch(); }), count);
    });
    report.row({std::string(access)}, m);
    report.constant(constant, m);
  };
  const double count = bench.count();
  const auto store = [&] { bench.store<false>(); };
  const auto store_four = [&] { bench.store<true>(); };
  const auto store_whole = [&] { bench.store_whole(); };
  rate("store, four sectors of a line", bench.right(store_four), store_four, count, "l2.line_scatter_rate");
  rate("store of whole sectors", bench.right(store_whole), store_whole, count / 2, "l2.sector_store_rate");
  rate("store", bench.right(store), store, count, "l2.scatter_rate");
  rate(
      "load", bench.loads_right(), [&] { bench.load(); }, count, "l2.gather_rate");
  return report.take();
}

} // namespace
} // namespace l2_requests_probe

extern const Probe l2_requests{
    .name = "l2-requests",
    .order = 330,
    .measures = "requests for single sectors, each of a line of its own, that L2 takes per second",
    .provides = {"l2.scatter_rate", "l2.line_scatter_rate", "l2.sector_store_rate", "l2.gather_rate"},
    .run = l2_requests_probe::run};

} // namespace perfmodel::kernels
