// What the blocks of a launch do, each block that is asked for run once. Costs have no part in it: asked
// again with other costs, as grades are found, or with the same, a launch finds its traces there.
#pragma once

#include "block_trace.hpp"

#include <map>
#include <memory>

namespace perfmodel {

class LaunchTraces {
public:
  // Refers to the code, whose owner, if there is one, it keeps. Throws InputError: a branch to where no
  // instruction is.
  LaunchTraces(const KernelCode& code, KernelLaunch launch, AccessRules rules, LoadedData data,
               std::shared_ptr<const KernelCode> owner = nullptr,
               std::shared_ptr<LaunchReads> reads = std::make_shared<LaunchReads>())
      : code_(code), owner_(std::move(owner)), launch_(std::move(launch)), rules_(std::move(rules)),
        data_(data), reads_(std::move(reads)), tracer_(code_, launch_, rules_, data_, reads_) {}
  LaunchTraces(const LaunchTraces&) = delete; // its tracer refers to its parts
  LaunchTraces& operator=(const LaunchTraces&) = delete;

  // Of a block of the grid, x fastest; stays valid. Throws InputError: what the block does is not known, by
  // line.
  const BlockTrace& of(std::int64_t block) {
    const auto at = traces_.find(block);
    if (at != traces_.end()) return at->second;
    const BlockTrace& made = traces_.emplace(block, tracer_.trace(block)).first->second;
    size_ += size_of(made);
    return made;
  }
  // Bytes that all traces so far take, about.
  std::size_t size() const { return size_; }
  const std::vector<TracedStep>& steps() const { return tracer_.steps(); } // of all traces so far

  bool are_of(const KernelCode& code, const KernelLaunch& launch, const AccessRules& rules,
              LoadedData data) const {
    return &code == &code_ && launch == launch_ && data == data_ && tracer_.same_with(rules) &&
           rules == with_caches_of(rules);
  }
  // What its blocks read, if that is the same by these rules; else null.
  std::shared_ptr<LaunchReads> reads_of(const KernelCode& code, const KernelLaunch& launch,
                                        const AccessRules& rules, LoadedData data) const {
    const bool same =
        &code == &code_ && rules.load.l1 == rules_.load.l1 && data == data_ && launch == launch_;
    return same ? reads_ : nullptr;
  }
  // Further blocks are run with as much of L1 and L2 as these have, with which those so far would be the
  // same.
  void go_on_with(const AccessRules& rules) {
    rules_ = with_caches_of(rules);
    tracer_.go_on();
  }

private:
  static std::size_t size_of(const BlockTrace& trace);
  AccessRules with_caches_of(const AccessRules& rules) const {
    AccessRules made = rules_;
    made.l1_bytes = rules.l1_bytes;
    made.l1_spread = rules.l1_spread;
    made.l2_bytes = rules.l2_bytes;
    return made;
  }
  const KernelCode& code_;
  std::shared_ptr<const KernelCode> owner_;
  KernelLaunch launch_;
  AccessRules rules_;
  LoadedData data_;
  std::shared_ptr<LaunchReads> reads_;
  BlockTracer tracer_;
  std::map<std::int64_t, BlockTrace> traces_;
  std::size_t size_ = 0;
};

// Of code that stays where it is and as it is: the last launches are remembered.
std::shared_ptr<LaunchTraces> remembered_traces(const KernelCode& code, const KernelLaunch& launch,
                                                const AccessRules& rules, LoadedData data,
                                                std::shared_ptr<const KernelCode> owner = nullptr);

} // namespace perfmodel
