// One instruction being run for the lanes of a warp: its operands as values, its results to registers. What
// an instruction does is a function of a step; executors.hpp finds it by the opcode.
#pragma once

#include "common_words.hpp"
#include "global_bytes.hpp"
#include "instruction.hpp"
#include "lanes.hpp"
#include "memory_bytes.hpp"
#include "stand_in.hpp"
#include "warp_state.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace perfmodel {

// A word of shared memory that warps exchange if it is still what they have loaded.
struct ContendedWord {
  std::vector<std::pair<const void*, std::uint32_t>> tries; // of each warp, in the order in which they came
  // Whether this try of the warp does (atomic_step.hpp).
  bool succeeds(const void* warp);
};

// What all warps of a block share, and where it is.
struct BlockState {
  const std::map<int, MemoryBytes>* constants = nullptr; // by bank
  std::array<std::uint32_t, 3> block{}, grid{}, at{};    // sides, and this block's place
  std::uint64_t linear = 0;
  LoadedIndex indices = LoadedIndex::refuse;
  std::uint32_t tickets = 0;                       // that atomic operations have given to lanes
  std::map<std::int64_t, ContendedWord> contended; // of shared memory, by address
  MemoryBytes shared;
  GlobalBytes global;
  DrawnNumbers drawn;
  std::set<std::uint64_t>* settling = nullptr; // takes addresses over four of words that settle, if wanted
  // Blocks are followed one after the other: `left` takes what this one leaves for those after it, `asked`
  // the words of others that it reads, if anybody wants them.
  bool in_order = false;
  std::vector<LeftWord>* left = nullptr;
  std::vector<std::uint64_t>* asked = nullptr;
  // Lanes that have voted at a barrier (BAR.RED), and what those of the last one did.
  struct Votes {
    std::uint32_t yes = 0, no = 0, unknown = 0;
    bool all = false; // all lanes have to say yes (AND)
  };
  Votes voting, voted;
};

// Addresses of an access of memory.
struct AccessedLanes {
  std::array<std::int64_t, 32> address{};
  std::uint32_t known = 0;
};

class LaneStep {
public:
  LaneStep(const Instruction& instruction, WarpState& of_warp, BlockState& in_block, std::uint32_t lanes)
      : i(instruction), warp(of_warp), block(in_block), mask(lanes) {}

  const Instruction& i;
  WarpState& warp;
  BlockState& block;
  std::uint32_t mask;                   // lanes whose guard is true
  std::uint32_t maybe = 0;              // lanes whose guard is not known: what they write is not known
  CommonWord common = CommonWord::none; // an atomic operation: on such a word
  bool from_memory = false;             // it loads words that device memory is known to hold
  bool repeated = false;                // some of them where only what stands before them was kept
  bool from_own = false;                // it loads words that the block itself has written
  bool from_blocks = false;             // and, in order, words that earlier blocks have written

  std::size_t operands() const { return i.operands.size(); }
  bool is(std::size_t n, OperandKind kind) const { return n < operands() && i.operands[n].kind == kind; }
  bool is_predicate(std::size_t n) const {
    return is(n, OperandKind::predicate) || is(n, OperandKind::uniform_predicate);
  }

  // An operand's 32 bits: raw; as an integer with its sign or complement; as fp32, with its signs.
  LaneWords raw(std::size_t n) const;
  LaneWords integer(std::size_t n) const;
  LaneWords real(std::size_t n) const;
  // 64 bits: a register with the next one, as they are or as fp64.
  WideLanes wide(std::size_t n) const;
  WideLanes wide_real(std::size_t n) const;
  Flags flag(std::size_t n) const;

  void write(std::size_t n, const LaneWords& value);
  void write_wide(std::size_t n, const WideLanes& value);
  void write_flag(std::size_t n, const Flags& value);
  // The `more`-th register behind operand n.
  void write_next(std::size_t n, unsigned more, const LaneWords& value);

  AccessedLanes addresses(std::size_t n) const;
  // `bytes` of constant memory, up to four, from the `more`-th word of operand n on.
  LaneWords constant(std::size_t n, unsigned more, std::size_t bytes = 4) const {
    return constant_lanes(i.operands[n], more, bytes);
  }

private:
  // Throw InputError, by line.
  const CodeOperand& operand(std::size_t n) const;
  [[noreturn]] void refuse(std::string_view why) const;
  LaneWords register_lanes(const CodeOperand& o, unsigned more) const;
  LaneWords constant_lanes(const CodeOperand& o, unsigned more, std::size_t bytes = 4) const;
};

} // namespace perfmodel
