// How many lines an SM keeps open for stores: words that are stored to a line that is still open go to L2
// with those before them, in one line; to a line that has gone they take the way again. One half of each word
// of a line is stored, then the other half after so many other lines of all warps.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

namespace perfmodel::kernels {
namespace {

constexpr unsigned warps = 4, halves_of_line = 64; // of a line: halves of words

__global__ void __launch_bounds__(32 * warps)
    store_halves(unsigned short* out, unsigned lines, unsigned behind, int trips) {
  const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  unsigned ahead = warp, back = (lines + warp - behind * warps) % lines;
#pragma unroll 4
  for (int trip = 0; trip < trips; ++trip) {
    asm volatile("st.global.u16 [%0], %1;" ::"l"(out + ahead * halves_of_line + 2 * lane),
                 "h"(static_cast<unsigned short>(ahead))
                 : "memory");
    asm volatile("st.global.u16 [%0], %1;" ::"l"(out + back * halves_of_line + 2 * lane + 1),
                 "h"(static_cast<unsigned short>(~back))
                 : "memory");
    ahead = ahead + warps >= lines ? warp : ahead + warps;
    back = back + warps >= lines ? back + warps - lines : back + warps;
  }
}

ProbeResult run(Session& session) {
  session.say("stores that merge");
  Report report("stores to lines that are still open", {{"lines", {}}}, "per_store", unit_of<Cycles>());
  const unsigned lines = 1U << 14; // 2 MiB, a multiple of the warps
  Buffer<unsigned short> out(std::size_t{lines} * halves_of_line);
  std::vector<std::pair<double, Measurement>> points;
  for (const unsigned behind : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u, 9u, 11u, 15u, 23u, 31u}) {
    const auto launch = [&](cudaStream_t stream, int trips) {
      store_halves<<<1, 32 * warps, 0, stream>>>(out.data(), lines, behind, trips);
      PERFMODEL_CUDA(cudaGetLastError());
    };
    out.poison();
    launch(session.stream, static_cast<int>(lines / warps));
    session.stream.synchronize();
    const std::vector<unsigned short> seen = out.to_host();
    bool right = true;
    for (unsigned line = 0; line < lines; ++line)
      for (unsigned half = 0; half < halves_of_line; ++half)
        right = right && seen[line * halves_of_line + half] ==
                             static_cast<unsigned short>(half % 2 == 0 ? line : ~line);
    if (!report.verify(right, "halves of words stored")) return report.take();
    const int trips = trips_for(session, 2e-3, launch);
    const Sampled times = sample(session, usual(session), [&](cudaStream_t s) { launch(s, trips); });
    Measurement each{.values = {}, .sm_clock = times.sm_clock};
    for (std::size_t i = 0; i < times.seconds.size(); ++i)
      each.values.push_back(times.seconds[i] * times.sm_clock[i] / (2.0 * warps * trips));
    const double between = double(warps) * (behind + 1);
    report.row({static_cast<std::int64_t>(between)}, each);
    points.emplace_back(between, std::move(each));
  }
  // Merged as where the least lie between, or as where the most do: the last that is nearer to the former.
  const double merged = points.front().second.median(), apart = points.back().second.median();
  Measurement open{.values = {0}, .sm_clock = points.front().second.sm_clock};
  if (apart > 1.1 * merged)
    for (const auto& [between, each] : points)
      if (each.median() < (merged + apart) / 2) open.values[0] = between;
  open.sm_clock.resize(1);
  report.constant("l1.open_lines", open);
  return report.take();
}

} // namespace

extern const Probe store_merge{.name = "store-merge",
                               .order = 456,
                               .measures = "lines that an SM keeps open for the stores that follow",
                               .provides = {"l1.open_lines"},
                               .run = run};

} // namespace perfmodel::kernels
