// What a reduction of the numbers 1, 2, 3, .. finds: block by block, and step by step within a block of few.
// As J. Verschelde, "Warps and Reduction Algorithms", works it out: 32 numbers leave 528, 527, 525, 522, ..
// in the lanes of a warp; 33 792 of them, by 32 blocks of 256 threads, sum up to 570 966 528.
#pragma once

#include "reduction_version.hpp"

#include "models/core/model.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perfmodel {

struct BlockValue {
  static constexpr std::string_view title = "what the blocks find in 1, 2, 3, ..";
  std::string version, block;
  Count numbers = 0;
  std::string found, right;
  static void fields(auto& field) {
    using R = BlockValue;
    field(&R::version, "version", "whose share of the array it is", Range::any, Role::key);
    field(&R::block, "block", "of the first pass, from 0 on; of many, all together", Range::any, Role::key);
    field(&R::numbers, "numbers", "that it reads");
    field(&R::found, "found", "sum, least or greatest, in full; empty: it is rounded on the way", Range::any,
          Role::note);
    field(&R::right, "right", "whether the type holds it", Range::any, Role::note);
  }
};

struct TreeStep {
  static constexpr std::string_view title = "steps of a block in 1, 2, 3, ..";
  std::string version;
  Count step = 0, apart = 0, active = 0;
  std::string threads, values;
  static void fields(auto& field) {
    using R = TreeStep;
    field(&R::version, "version", "of the ladder", Range::any, Role::key);
    field(&R::step, "step", "one after the other; those that add nothing are left out", Range::any,
          Role::key);
    field(&R::apart, "apart", "words from one number to the other", Range::any, Role::predicted, "words");
    field(&R::active, "active", "threads that add", Range::any, Role::predicted, "threads");
    field(&R::threads, "threads", "which", Range::any, Role::note);
    field(&R::values, "values", "what they have found then, the first of them", Range::any, Role::note);
  }
};

struct ReductionShape {
  ReductionVersion version{};
  ReductionType type{};
  std::int64_t threads = 0, n = 0;
};

// Of a version that has any grid (has_any_grid), by so many blocks; each block where they are few, and all.
std::vector<BlockValue> block_values(const ReductionShape& shape, std::int64_t blocks);

// Most numbers whose steps are shown.
inline constexpr std::int64_t most_shown_steps = 64;
// Of one block; `n` at most that many. None of the vector version, whose warps add up in one instruction.
std::vector<TreeStep> tree_steps(const ReductionShape& shape);

// One of these steps in full: who adds what, and what every word holds then.
using ReductionWord = std::optional<std::int64_t>; // empty: what changes nothing when it is added
struct TreeFrame {
  struct Addition {
    std::int64_t thread = 0, at = 0, from = 0; // words
  };
  std::int64_t apart = 0;     // words
  std::int64_t threads = 0;   // that run the step, with those that add nothing
  std::int64_t distance = 1;  // from one of these threads to the next
  std::vector<Addition> adds; // that change something or add to it
  std::vector<ReductionWord> after;
  bool gathers = false; // before it, what the warps have found went to the lanes of the first
};
// Of any numbers, one word for each thread; empty ones at the end.
std::vector<TreeFrame> tree_frames(const ReductionShape& shape, std::vector<ReductionWord> words);

} // namespace perfmodel
