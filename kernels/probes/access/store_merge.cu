// How many lines an SM keeps open for stores: words that are stored to a line that is still open go to L2
// with those before them, in one line; to a line that has gone they take the way again. Each thread stores
// the words of a structure one after the other, so that a warp comes back to as many lines as a structure has
// words, each of the SM's schedulers with a warp of its own.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include <algorithm>

namespace perfmodel::kernels {
namespace store_merge_probe {
namespace {

constexpr unsigned threads = 256, rounds = 4; // rounds: sets of structures, so that L2 holds all of them
constexpr int resident = 8, in_turn = 2;      // blocks of an SM, warps

template <unsigned words>
__global__ void __launch_bounds__(threads) store_structures(std::uint32_t* out, int trips) {
  const unsigned all = gridDim.x * threads, own = blockIdx.x * threads + threadIdx.x;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    const std::size_t first = (std::size_t{unsigned(trip) % rounds} * all + own) * words;
#pragma unroll
    for (unsigned word = 0; word < words; ++word)
      asm volatile("st.global.u32 [%0], %1;" ::"l"(out + first + word), "r"(pattern(first + word))
                   : "memory");
  }
}

struct Stores {
  unsigned words;
  void (*kernel)(std::uint32_t*, int);
};
template <unsigned words> constexpr Stores of() { return {words, &store_structures<words>}; }
constexpr Stores sizes[] = {of<1>(), of<2>(), of<3>(), of<4>(), of<5>(), of<6>(), of<7>(), of<8>()};

ProbeResult run(Session& session) {
  session.say("stores that merge");
  Report report("words of structures stored one after the other", {{"words", {}}}, "per_store",
                unit_of<Cycles>());
  const auto blocks = static_cast<unsigned>(session.device.sm_count() * resident);
  const std::size_t structures = std::size_t{rounds} * blocks * threads;
  std::vector<double> taken;
  for (const auto& [words, kernel] : sizes) {
    Buffer<uint4> out(structures * words / 4);
    const auto launch = [&, kernel = kernel](cudaStream_t stream, int trips) {
      kernel<<<blocks, threads, 0, stream>>>(reinterpret_cast<std::uint32_t*>(out.data()), trips);
      PERFMODEL_CUDA(cudaGetLastError());
    };
    out.poison();
    launch(session.stream, rounds);
    if (!report.verify(pattern_differences(out.data(), out.size(), session.stream) == 0, "words stored"))
      return report.take();
    const int trips = trips_for(session, 2e-3, launch);
    const Sampled times = sample(session, usual(session), [&](cudaStream_t s) { launch(s, trips); });
    Measurement each{.values = {}, .sm_clock = times.sm_clock};
    constexpr double warps = resident * threads / 32.0; // of an SM
    for (std::size_t i = 0; i < times.seconds.size(); ++i)
      each.values.push_back(times.seconds[i] * times.sm_clock[i] / (warps * trips * words));
    report.row({std::int64_t{words}}, each);
    taken.push_back(each.median());
  }
  // Merged as where each word has its line, or as apart as the last, whose warp stores to 32 sectors: of
  // fewer words to fewer. The most words that are nearer to the former.
  const double merged = std::min(taken[0], taken[1]), apart = taken.back();
  Measurement open{.values = {0}, .sm_clock = {}};
  if (apart > 1.5 * merged)
    for (const auto& [words, kernel] : sizes)
      if (words > 1 && taken[words - 1] < (merged + apart * words / sizes[7].words) / 2)
        open.values[0] = double(in_turn) * words;
  report.constant("l1.open_lines", open);
  return report.take();
}

} // namespace
} // namespace store_merge_probe

extern const Probe store_merge{.name = "store-merge",
                               .order = 456,
                               .measures = "lines that an SM keeps open for the stores that follow",
                               .provides = {"l1.open_lines"},
                               .run = store_merge_probe::run};

} // namespace perfmodel::kernels
