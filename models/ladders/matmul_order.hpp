// In which order to optimise a matrix product: what would help each version most, from the same launch with
// one cost thought away; and two changes of which both orders can be run, larger blocks and tiles in shared
// memory. A change gains most where what it mends binds, and both orders end at the same kernel.
#pragma once

#include "fix_order.hpp"
#include "matmul_rung.hpp"

#include "models/core/gpu.hpp"
#include "models/core/model.hpp"
#include "models/core/trace.hpp"

#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

struct MatmulHelp {
  static constexpr std::string_view title = "what would help most";
  std::string version;
  Seconds time;
  std::string bound, change;
  double gain = absent;
  std::string second_change;
  double second_gain = absent;
  double next_version = absent;
  static void fields(auto& field) {
    using R = MatmulHelp;
    field(&R::version, "step", "version of the ladder", Range::any, Role::key);
    field(&R::time, "step_time", "of one product");
    field(&R::bound, "step_bound", "what holds it there", Range::any, Role::note);
    field(&R::change, "helps_most",
          "what, thought away, gains most; empty where the time is not the simulated one", Range::any,
          Role::note);
    field(&R::gain, "helps_by", "speed-up of the launch without it", Range::any, Role::predicted, "times");
    field(&R::second_change, "then", "what gains second most", Range::any, Role::note);
    field(&R::second_gain, "then_by", "speed-up without that alone", Range::any, Role::predicted, "times");
    field(&R::next_version, "next_step", "speed-up of the next version over this one", Range::any,
          Role::predicted, "times");
  }
};

struct MatmulOrder {
  std::vector<MatmulHelp> helps; // of the versions without tensor units that the GPU can run
  std::vector<FixOrder> orders;  // of naive and tiled in blocks of 4 x 4 and 16 x 16
};

// Of n x n matrices; naive in blocks of `block`, tiles of `tile`.
template <class T>
MatmulOrder matmul_order(const Gpu& gpu, Count n, Shape block, std::int64_t tile, T& trace);

std::string order_in_words(const MatmulOrder& order);

} // namespace perfmodel
