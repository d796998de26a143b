// What a warp does, as a trace has it.
#pragma once

#include "models/simulate/block_trace.hpp"

#include "tests/models/kernel/one_warp.hpp"

#include "models/core/error.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace perfmodel::block_trace_test {

// One warp of `code`, with two arrays of 1 MiB: data, index.
struct Traced {
  KernelCode code;
  KernelLaunch launch{.grid = {4, 1, 1}, .block = {32, 1, 1}, .arguments = {}};
  AccessRules rules;
  std::vector<TracedStep> steps;
  BlockTrace trace;

  explicit Traced(std::string_view text, LoadedData data = {}, const CoalescingRule& split = {.l1 = true},
                  double l2_bytes = 0, double l1_bytes = 65536)
      : code(read_listing(listing_of(text), "")) {
    launch.arguments = KernelArguments::from_text("data=1MiB,index=1MiB");
    rules.load = rules.store = split;
    rules.store.l1 = false;
    rules.l1_bytes = l1_bytes;
    rules.l2_bytes = l2_bytes;
    BlockTracer tracer(code, launch, rules, data);
    trace = tracer.trace(1);
    steps = tracer.steps();
  }
  // The last access of that kind of memory.
  const TracedStep& last(Space space) const {
    const auto at =
        std::find_if(steps.rbegin(), steps.rend(), [&](const TracedStep& s) { return s.space == space; });
    if (at == steps.rend()) throw InputError("no such access");
    return *at;
  }
};

} // namespace perfmodel::block_trace_test
