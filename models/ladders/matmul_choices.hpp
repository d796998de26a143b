// Which block of the naive product and which tile of the tiled one to take, and why: occupancy, what limits
// it, shared memory, and the rate, each simulated. Untiled blocks stand beside the tiles, as in the chart of
// R. Giorgi, Clusters, lesson 30; those of its tiles that tell most, and a larger one.
#pragma once

#include "matmul_rung.hpp"

#include "models/core/gpu.hpp"
#include "models/core/model.hpp"
#include "models/core/trace.hpp"

#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

struct MatmulChoice {
  static constexpr std::string_view title = "blocks and tiles";
  std::string version, block;
  Count threads = 0;
  Bytes shared{absent};
  double resident = absent, occupancy = absent;
  std::string limiter;
  Seconds time{absent};
  FlopsPerSecond rate{absent};
  double of_best = absent;
  std::string bound;
  static void fields(auto& field) {
    using R = MatmulChoice;
    field(&R::version, "choice", "naive, or tiled", Range::any, Role::key);
    field(&R::block, "block", "columns x rows of a block's threads; of tiled also those of a tile",
          Range::any, Role::key);
    field(&R::threads, "threads", "of a block", Range::whole, Role::predicted, "threads");
    field(&R::shared, "shared_per_block", "shared memory of both tiles; empty: none is used");
    field(&R::resident, "blocks_per_sm", "that an SM holds at a time; empty: it cannot run one", Range::any,
          Role::predicted, "blocks");
    field(&R::occupancy, "warp_slots_used", "occupancy: resident warps over warp slots", Range::any,
          Role::predicted, "fraction");
    field(&R::limiter, "limiter", "what allows no more blocks", Range::any, Role::note);
    field(&R::time, "product_time", "of one product");
    field(&R::rate, "choice_rate", "2 n^3 flop over it");
    field(&R::of_best, "of_best", "share of the best rate of them", Range::any, Role::predicted, "fraction");
    field(&R::bound, "rate_bound", "what holds it there, or why it cannot run", Range::any, Role::note);
  }
};

// Of n x n matrices; `only`: of one of the two versions; `block` and `tile` are there beside those that
// always are.
template <class T>
std::vector<MatmulChoice> matmul_choices(const Gpu& gpu, Count n, std::optional<MatmulVersion> only,
                                         Shape block, std::int64_t tile, T& trace);

std::string choices_in_words(const std::vector<MatmulChoice>& rows);

} // namespace perfmodel
