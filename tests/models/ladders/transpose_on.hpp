// One number or the bound of one version of the transpose, and an H200 of round bandwidths.
#pragma once

#include "tests/models/ask.hpp"

#include <string>

namespace perfmodel {

inline constexpr const char* table = "versions";

inline double value(const Gpu& gpu, const char* version, const char* n, const char* column) {
  return number(ask("transpose", gpu, {{"version", version}, {"n", n}}), table, column);
}
inline std::string bound(const Gpu& gpu, const char* version, const char* n) {
  return text(ask("transpose", gpu, {{"version", version}, {"n", n}}), table, "bound");
}
// What the probes run-copy, l2-requests and block-turnover find on an H200, rounded.
inline Gpu h200() {
  // Without queues and barriers: what is left are the bandwidths below.
  Gpu gpu = with_facts(database().gpu("h200"), {{"sustained.dram.copy", "4.3 TB/s"},
                                                {"sustained.dram.copy_runs", "4 TB/s"},
                                                {"sustained.dram.copy_lines", "3.5 TB/s"},
                                                {"sustained.dram.copy_both_lines", "3.3 TB/s"},
                                                {"dram.row_reach", "256 B"},
                                                {"sustained.l2", "9.3 TB/s"},
                                                {"l2.scatter_rate", "66 G/s"},
                                                {"l2.gather_rate", "155 G/s"},
                                                {"l1.line_rate", "4 1/cycle"},
                                                {"block.launch", "276 cycle"},
                                                {"block.launch_interval", "158 cycle"}});
  for (const char* path : {"dram.service", "barrier.latency", "barrier.per_warp", "kernel.turnover",
                           "issue.memory_interval", "latency.predicate"})
    gpu.facts.erase(path);
  return gpu;
}

} // namespace perfmodel
