// One number or the bound of one version of the transpose, and an H200 of round bandwidths.
#pragma once

#include "tests/models/ask.hpp"

#include <string>

namespace perfmodel::transpose_on {

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
  Gpu gpu = with_facts(gpu_named("h200"), {{"sustained.dram.copy", "4.3 TB/s"},
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
  gpu = with_facts(std::move(gpu), {{"l2.partial_sets", "1000000000"},
                                    {"l2.partial_ways", "1"},
                                    {"latency.predicate", "4 cycle"},
                                    {"block.load_latency", "658.8 cycle"}});
  return free_of(std::move(gpu),
                 {"dram.service", "dram.turn", "barrier.latency", "barrier.per_warp", "barrier.pipe",
                  "barrier.lone_pipe", "kernel.turnover", "issue.memory_interval", "issue.queued_shared",
                  "l1.queue", "l1.fill_interval", "shared.lone_register", "block.store_drain",
                  "constant.latency"});
}

} // namespace perfmodel::transpose_on
