// What the blocks before one have left in global memory for others: flags, sums and counters, written by
// atomic operations and by stores that all SMs see (STRONG). Blocks that wait for those before them (D.
// Merrill and M. Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, NVIDIA NVR-2016-002)
// find it there. The first blocks of a grid are run in order, and what each has left is kept. Later ones are
// taken to leave what the last of these did, each as much further on as these were in the mean: in address,
// and in value. Counters from which blocks draw their numbers so give block i the i-th.
//   Blocks launched together ask at the same time. What each leaves first, its own sum, is there, and what it
// leaves last, the sum of all up to it, when it has come to the end of its way back. With w blocks at a look,
//   looks(b) = least n with w n (n + 1) / 2 >= b,
// since the n-th look reaches b - n w, and there finds done who needed n - 1. Later blocks begin one after
// the other, and find those before them done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace perfmodel {

// A word of global memory that a block has left: which lane wrote it, and what; empty: not known.
struct LeftWord {
  std::size_t instruction = 0, warp = 0; // address of the instruction in its function
  unsigned lane = 0;
  std::uint64_t word = 0; // address over four
  std::optional<std::uint32_t> value;
};

class EarlierBlocks {
public:
  // So many are run in order, where there are as many: as a warp has lanes, each of which looks at one block,
  // and that block itself.
  static constexpr std::int64_t in_order = 33;

  // The next block, in the order in which it wrote.
  void add(const std::vector<LeftWord>& left);
  // None comes any more. `asked`: the words that the last one has read; `together`: blocks that are launched
  // at once.
  void complete(const std::vector<std::uint64_t>& asked, std::int64_t together);

  // What `block` finds in a word: empty where no block before it has written there, else the value, if it is
  // known.
  std::optional<std::optional<std::uint32_t>> find(std::uint64_t word, std::int64_t block) const;
  // How many blocks just before it have not come further than what they leave first.
  std::int64_t on_their_way(std::int64_t block) const;

private:
  // A lane's n-th run of an instruction.
  using Writer = std::tuple<std::size_t, std::size_t, unsigned, std::size_t>;
  struct Written {
    std::size_t order = 0; // in its block
    std::uint64_t word = 0;
    std::optional<std::uint32_t> value;
  };
  using Block = std::map<Writer, Written>;
  // What a writer of the last block wrote, and how much further on each block is.
  struct Rule {
    std::size_t order = 0;
    std::int64_t word = 0, step = 0;
    std::optional<std::uint32_t> value;
    double growth = 0;
  };
  struct Left {
    std::int64_t block = 0;
    std::optional<std::uint32_t> first, last; // what it wrote
  };
  std::optional<std::uint32_t> value_of(const Rule& rule, std::int64_t blocks_on) const;

  std::int64_t blocks_ = 0, together_ = 0;
  std::int64_t of_a_look_ = 0; // blocks; 0: no block asks for what one other has left
  Block middle_, before_, last_;
  std::int64_t middle_at_ = 0;
  // Of each word, what the blocks that were run have left, by rising numbers.
  std::unordered_map<std::uint64_t, std::vector<Left>> left_;
  std::unordered_map<std::uint64_t, Rule> standing_; // words that each block writes
  // By the step from block to block, and the remainder of their words by it.
  std::map<std::int64_t, std::unordered_map<std::int64_t, std::vector<Rule>>> moving_;
};

} // namespace perfmodel
