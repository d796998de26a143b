// What goes wrong in the tiled product without one of the two barriers of each phase, shown by running its
// machine code (barrier_races.hpp): without the one behind loading the tiles, threads multiply words that
// others have not yet written; without the one behind the products, a thread that is ahead overwrites words
// that others still multiply. R. Giorgi, Clusters, lesson 30: "guard against using uninitialized data, guard
// against bashing live data". Of one block, in an order of its warps that the barriers allow; another order
// may leave all words right, which is what makes such errors hard to find.
#pragma once

#include "matmul_rung.hpp"

#include "models/core/gpu.hpp"
#include "models/core/model.hpp"

#include <string>
#include <vector>

namespace perfmodel {

struct MatmulBarrier {
  static constexpr std::string_view title = "without a barrier";
  std::string left_out, race;
  Count block_warps = 0;
  double wrong = 0, wrong_apart = absent, of = 0;
  std::string rows;
  double wrong_words = 0;
  static void fields(auto& field) {
    using R = MatmulBarrier;
    field(&R::left_out, "left_out", "which of the two barriers of a phase", Range::any, Role::key);
    field(&R::race, "race", "what then is not in order", Range::any, Role::note);
    field(&R::wrong, "wrong", "elements of the block's part of C that may be wrong, lanes of a warp together",
          Range::any, Role::predicted, "elements");
    field(&R::wrong_apart, "wrong_apart",
          "the same where lanes of a warp go their own ways; empty: they do not, before cc 7.0", Range::any,
          Role::predicted, "elements");
    field(&R::of, "of_elements", "elements that the block computes", Range::any, Role::predicted, "elements");
    field(&R::rows, "wrong_rows", "of the block's part of C, from 0, lanes of a warp together", Range::any,
          Role::note);
    field(&R::block_warps, "block_warps", "warps of the block", Range::whole, Role::predicted, "warps");
    field(&R::wrong_words, "wrong_words", "words of the tiles that are read wrong, in all phases", Range::any,
          Role::predicted, "words");
  }
};

// A row with both barriers first, in which nothing is wrong. `rung` is tiled; n x n matrices, of which the
// first block counts, and the first four phases: the others are like them.
std::vector<MatmulBarrier> matmul_barriers(const Gpu& gpu, const MatmulRung& rung, Count n);

std::string barriers_in_words(const std::vector<MatmulBarrier>& rows);

} // namespace perfmodel
