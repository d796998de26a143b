// What L1, or the texture units, allow the loads of an access pattern.
//   bytes: what L1's banks hand to registers, in wavefronts of as many bytes as all banks have / B(L1). Each
//          thread takes its own word, into registers of 4 B; words of different lines that lie in one bank
//          come one after the other (banks.hpp)
//   lines: the different lines of 128 B that each warp's load touches, each looked up once / their rate
//   textures: wavefronts / their rate, of data that are on their way (probe texture-rate)
// B(L1) was measured (l1-bandwidth); where it was not, L1 hands on no more than the banks of shared memory:
// on every capability with an L1 both share data banks or those of L1 are no wider. Where there is none, an
// SM takes in no more either: 8 lanes take 32 B a cycle, as 16 banks give in two. The rate of lines is that
// of the probe l1-lines, or its estimate. Stores pass L1; their path is not counted.
// That loads of L1 wait for its banks was measured by columns of a matrix, read by blocks of 32 x 8 threads:
// 0.99 TB/s of 4.5 (H200, 27 November 2026).
#pragma once

#include "models/access/pattern_walk.hpp"
#include "models/bounds/memory_level.hpp"

#include <optional>

namespace perfmodel {

// Empty where the bandwidth is not known, or nothing is loaded.
template <class T>
auto l1_time(const Gpu& gpu, const PatternCounts& counts, T& trace)
    -> std::optional<decltype(trace.number(Bytes(1)) / trace.fact(gpu, facts::sustained_l1))> {
  const bool measured = gpu.record(facts::sustained_l1) != nullptr;
  if (counts.to_registers == 0 || !(measured || has_shared_banks(gpu))) return std::nullopt;
  const auto taken_in = static_cast<double>(counts.to_registers),
             handed = static_cast<double>(counts.wavefronts * counts.wavefront_bytes);
  const auto bytes =
      handed > taken_in
          ? trace.define("handed_over", "bytes of L1's banks, in whole wavefronts, words in one bank apart",
                         trace.number(Bytes(handed)))
          : trace.define("to_registers", "bytes that the registers of all threads take in",
                         trace.number(Bytes(taken_in)));
  const auto bandwidth = measured ? trace.fact(gpu, facts::sustained_l1) : shared_bandwidth(gpu, trace);
  return trace.define("t_l1", "time in which SMs take it in", bytes / bandwidth);
}

// Empty where there is no L1, or nothing is loaded.
template <class T>
auto l1_line_time(const Gpu& gpu, const PatternCounts& counts, T& trace)
    -> std::optional<decltype(trace.number(Bytes(1)) / trace.fact(gpu, facts::sustained_l1))> {
  if (counts.lines == 0 || !gpu.has_cost(facts::l1_line_rate)) return std::nullopt;
  const auto lines = trace.define("lines", "different lines of 128 B that the loads of warps touch",
                                  trace.number(static_cast<double>(counts.lines)));
  return trace.define("t_lines", "time of L1 for looking up lines",
                      lines / trace.cost(gpu, facts::l1_line_rate) /
                          (trace.fact(gpu, facts::sm_count) * trace.fact(gpu, facts::clock)));
}

// Empty where nothing passes the texture units.
template <class T>
auto texture_time(const Gpu& gpu, const PatternCounts& counts, T& trace)
    -> std::optional<decltype(trace.number(Bytes(1)) / trace.fact(gpu, facts::sustained_l1))> {
  if (counts.texture_wavefronts == 0) return std::nullopt;
  const auto wavefronts =
      trace.define("wavefronts", "of the texture units: different lines of four or eight lanes each",
                   trace.number(static_cast<double>(counts.texture_wavefronts)));
  return trace.define("t_texture", "time of the texture units",
                      wavefronts / trace.cost(gpu, facts::texture_wavefront_rate) /
                          (trace.fact(gpu, facts::sm_count) * trace.fact(gpu, facts::clock)));
}

} // namespace perfmodel
