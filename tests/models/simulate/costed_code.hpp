// What the steps of a warp cost on a machine whose costs are small numbers.
#pragma once

#include "models/simulate/step_cost.hpp"

#include "tests/models/kernel/one_warp.hpp"

#include <string_view>
#include <vector>

namespace perfmodel::step_cost_test {

// Steps of one warp of this code on a machine whose costs are small numbers.
inline TracedBlocks costs_of_kernel(const KernelCode& read, bool by_registers = false, double missing = 0,
                                    std::int64_t threads = 32, double stored_lines = 0,
                                    void (*change)(KernelCosts&) = nullptr, double together = 1,
                                    bool writes = false, double gathered = 1) {
  KernelLaunch launch{.grid = {1, 1, 1}, .block = {threads, 1, 1}, .arguments = {}};
  launch.arguments = KernelArguments::from_text("in=1MiB,out=1MiB");
  AccessRules rules;
  rules.load = rules.store = {.l1 = true};
  rules.store.l1 = false;
  rules.l1_bytes = 65536;
  rules.l2_bytes = 1024;
  rules.by_registers = by_registers;
  BlockTracer tracer(read, launch, rules, {});
  const BlockTrace trace = tracer.trace(0);
  KernelCosts costs;
  costs.older = as_older(read, 0);
  costs.constants = 3;
  costs.constant_per_word = 2;
  costs.sm.constant_latency = 28;
  costs.sm.predicate_latency = 13;
  costs.sm.dram_latency = 600;
  costs.dram_tail = 100;
  costs.bytes_per_gather = 64; // L2 takes as long for a sector as for two
  costs.sm.fill_cycles = 0.5 / 128;
  costs.sm.counter_cycles = 10;
  costs.float_counter = 24;
  if (change != nullptr) change(costs);
  return costed(costs, read, tracer.steps(), {&trace},
                {.missing = std::vector<double>(3, missing),
                 .fetched = std::vector<double>(3, missing),
                 .far = std::vector<double>(3),
                 .load_bytes = std::vector<double>(3, 1.0),
                 .store_bytes = std::vector<double>(3, 1.0),
                 .added_lines = std::vector<double>(3, stored_lines),
                 .added_words = std::vector<double>(3, 0),
                 .together = std::vector<double>(3, together),
                 .gathered = std::vector<double>(3, gathered),
                 .writes = writes},
                by_registers, 1);
}

inline TracedBlocks costs_of_code(std::string_view code, bool by_registers = false, double missing = 0,
                                  std::int64_t threads = 32, double stored_lines = 0,
                                  void (*change)(KernelCosts&) = nullptr, double together = 1,
                                  bool writes = false, double gathered = 1) {
  return costs_of_kernel(read_listing(listing_of(code), ""), by_registers, missing, threads, stored_lines,
                         change, together, writes, gathered);
}

} // namespace perfmodel::step_cost_test
