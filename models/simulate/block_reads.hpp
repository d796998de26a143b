// What blocks of a launch read of global memory through L1. Blocks are run for it, which takes most of the
// time in which traces are made; what they read depends neither on costs nor, but for whether L1 has loads of
// global memory at all, on the GPU, so that it is kept for whoever asks about the launch again.
#pragma once

#include "access_rules.hpp"
#include "read_order.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace perfmodel {

// A launch whose blocks can be run.
struct LaunchedBlocks {
  const KernelCode& code;
  const KernelLaunch& launch;
  const AccessRules& rules;
  const KernelRunner& runner;
  LoadedData data;
};

// Of one block, as short as its loops are: the trips that were left out are not written out.
struct BlockReads {
  // Of a warp, in trips of a loop: sectors, and how many further on each time, so many times.
  struct Leap {
    std::size_t warp = 0;
    std::uint64_t times = 0;
    std::vector<std::pair<std::uint64_t, std::int64_t>> from;
  };
  struct Part {
    std::vector<std::uint64_t> sectors; // one after the other, each when it is first read
    std::vector<Leap> leaps;            // then, of different warps side by side
  };
  std::vector<Part> parts;
  bool whole = false; // the block has come to its end

  ReadOrder order() const;
  // How many sectors it takes to say so.
  std::size_t listed() const;
};

class LaunchReads {
public:
  // As far as `most` instructions of the block go. The blocks are always of the same launch and data.
  std::shared_ptr<const ReadOrder> of(const LaunchedBlocks& blocks, std::int64_t block, std::uint64_t most);

private:
  struct Known {
    BlockReads reads;
    std::weak_ptr<const ReadOrder> order; // as long as it was asked for not long ago
  };
  std::map<std::pair<std::int64_t, std::uint64_t>, Known> known_; // by block and `most`
  std::size_t listed_ = 0;
};

} // namespace perfmodel
