// Words of global memory that are the same ones for every block, and that blocks change by atomic operations,
// each finding what others left.
//   Counters, from which warps draw numbers: the next task of a list, a place in the output, who is the last
// block. A block that is run alone would draw every number itself; so it is taken to draw in its turn, with
// the warp of the same number of every other block: those blocks before it have drawn as much once when it
// draws first, and all others once more each time that it comes back.
//   Words that settle, as the least or the largest of all (MIN, MAX, or a comparison and exchange): hardly
//   any
// block still changes them. A block is taken to find what the first one leaves.
#pragma once

#include "listing.hpp"

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace perfmodel {

enum class CommonWord : std::uint8_t { none, counter, settling };

// Of each instruction, which of these it changes. Its address is followed back through the text, to arguments
// and constants alone.
std::vector<CommonWord> common_words(const KernelCode& code);

// Who of a block has drawn from which counter.
class DrawnNumbers {
public:
  // How many draws like this one others have made since this warp's last one, or since the launch.
  std::uint64_t of_others(std::size_t warp, std::uint64_t address, std::uint64_t block,
                          std::uint64_t blocks) {
    return drawn_.emplace(warp, address).second ? block : blocks - 1;
  }

private:
  std::set<std::pair<std::size_t, std::uint64_t>> drawn_;
};

} // namespace perfmodel
