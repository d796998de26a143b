// Divergence: a warp runs every way that its lanes take, one after another, with the others idle; a loop
// lasts as long as the lane with the most trips.
//   passes of a warp = sum over the ways its lanes take of max over the lanes of a way of trips
//   SIMT efficiency  = sum of trips over lanes / (warp size x sum of passes over warps)
// An if with else is two ways; a warp-step diverges where its lanes do not all do the same. E. Lindholm et
// al., NVIDIA Tesla, IEEE Micro 28(2), 2008; CUDA C++ Programming Guide, "SIMT Architecture".
// Assumes equal cost of a pass in every way, lanes that come together again after the branch, and a branch
// that is one: what a compiler predicates keeps its lanes idle but does not diverge.
#pragma once

#include "divergence_count.hpp"
#include "models/core/model.hpp"
#include "models/core/shape.hpp"

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

enum class DivergentKernel {
  matmul_boundary,
  reduction_interleaved,
  reduction_strided,
  reduction_sequential
};
constexpr auto names(DivergentKernel) {
  return std::to_array<std::string_view>(
      {"matmul-boundary", "reduction-interleaved", "reduction-strided", "reduction-sequential"});
}

enum class Otherwise { work, nothing };
constexpr auto names(Otherwise) { return std::to_array<std::string_view>({"work", "nothing"}); }

struct Divergence {
  static constexpr ModelInfo info{
      .name = "divergence",
      .summary = "Divergence: what branches, switches and loops cost that split the lanes of a warp",
      .equation = "passes = sum over ways of max over lanes of trips",
      .source = "Lindholm, Nickolls, Oberman, Montrym, IEEE Micro 28(2), 2008",
      .reading =
          "A divergent warp runs its ways one after another: slowdown is the passes that warps run over "
          "those of warps whose working lanes share one way. The fraction of divergent warps bounds what "
          "the branch costs, not what the kernel loses.",
      .tolerance = 0.05,
      .chart = ChartKind::lines,
      .x = "width",
      .y = "fraction",
      .series = "branch",
      .examples =
          "--hw h200 --if 'row < n' --let n=100; --hw h200 --kernel matmul-boundary --width 100 --tile 16"};

  struct Input {
    Shape block{256, 1, 1}, grid{1, 1, 1};
    Expression predicate, path, trips;
    Otherwise otherwise = Otherwise::work;
    Bindings let;
    double steps = 1;
    std::optional<DivergentKernel> kernel;
    std::optional<double> width, tile; // 100 and 16
    static void fields(auto& field) {
      field(&Input::predicate, "if",
            "branch that a lane takes where this is not 0, such as 'row < n && col < n'. Expressions are "
            "C's, of whole numbers: tid (thread in its block), lane, warp, x y z (thread), bx by bz "
            "(block), dx dy dz (sides of a block), gx gy gz (of the grid), row = y + by*dy, col = x + "
            "bx*dx, gid (thread in the grid), i (step), --let names");
      field(&Input::path, "path", "way of a switch that a lane takes, such as 'lane % 4'");
      field(&Input::trips, "trips",
            "trips of a loop in a lane, such as '6 + lane % 2': as of for (j = 0; j < trips; ++j), so a "
            "number below 0 is no trip. Arithmetic is of 64 bits and wraps. With --if, of lanes that take "
            "it: the others pass once");
      field(&Input::otherwise, "else", "whether lanes that do not take --if have work of their own");
      field(&Input::block, "block", "shape of a block: 256, 16x16 or 8x8x4");
      field(&Input::grid, "grid", "shape of the grid of blocks");
      field(&Input::let, "let", "names of your own in expressions, swept by name: n=1000,m=1:32");
      field(&Input::steps, "steps", "times that the branch is met: i = 0 to one less in expressions",
            Range::whole);
      field(&Input::kernel, "kernel",
            "a known kernel's branch instead (default: matmul-boundary, unless an expression is given)");
      field(&Input::width, "width", "rows of the square matrices of matmul-boundary, default 100",
            Range::whole);
      field(&Input::tile, "tile", "side of the blocks of matmul-boundary, default 16", Range::whole);
    }
  };

  struct Branch {
    static constexpr std::string_view title = "branches";
    std::string branch;
    double width = absent; // of matrices
    double warp_steps = 0, active = 0, divergent = 0, fraction = 0;
    double passes = 0, one_way = absent, slowdown = absent, threads_per_instruction = absent,
           efficiency = absent;
    std::string advice;
    static void fields(auto& field) {
      using R = Branch;
      field(&R::branch, "branch", "what splits warps", Range::any, Role::key);
      field(&R::width, "width", "rows of the matrices", Range::whole, Role::key);
      field(&R::warp_steps, "warp_steps", "times that a warp meets it", Range::any, Role::predicted, "warps");
      field(&R::active, "active", "of these, with a lane that takes it", Range::any, Role::predicted,
            "warps");
      field(&R::divergent, "divergent", "of these, with lanes that do not all do the same", Range::any,
            Role::predicted, "warps");
      field(&R::fraction, "fraction", "divergent over all", Range::any, Role::predicted, "fraction");
      field(&R::passes, "passes", "passes that warps run");
      field(&R::one_way, "one_way_passes", "passes of warps whose working lanes share one way");
      field(&R::slowdown, "slowdown", "passes over one_way_passes");
      field(&R::threads_per_instruction, "threads_per_instruction", "lanes at work in a pass", Range::any,
            Role::predicted, "threads");
      field(&R::efficiency, "simt_efficiency", "lanes at work over lanes of the warp", Range::any,
            Role::predicted, "fraction");
      field(&R::advice, "advice", "what would remove the divergence", Range::any, Role::note);
    }
  };

  struct Step {
    static constexpr std::string_view title = "step by step";
    std::string step;
    double active = 0, divergent = 0, fraction = 0, passes = 0;
    static void fields(auto& field) {
      using R = Step;
      field(&R::step, "step", "value of i", Range::any, Role::key);
      field(&R::active, "active", "warps with a lane that takes the branch", Range::any, Role::predicted,
            "warps");
      field(&R::divergent, "divergent", "warps whose lanes do not all do the same", Range::any,
            Role::predicted, "warps");
      field(&R::fraction, "fraction", "divergent over all", Range::any, Role::predicted, "fraction");
      field(&R::passes, "passes", "passes that warps run");
    }
  };

  struct Part {
    static constexpr std::string_view title = "by blocks";
    std::string branch, blocks;
    double count = 0, warp_steps = 0, divergent = 0;
    static void fields(auto& field) {
      using R = Part;
      field(&R::branch, "branch", "what splits warps", Range::any, Role::key);
      field(&R::blocks, "blocks", "which blocks", Range::any, Role::key);
      field(&R::count, "block_count", "how many they are", Range::any, Role::predicted, "blocks");
      field(&R::warp_steps, "warp_steps", "warps x phases", Range::any, Role::predicted, "warps");
      field(&R::divergent, "divergent", "of these, divergent", Range::any, Role::predicted, "warps");
    }
  };

  using Tables = std::tuple<std::vector<Branch>, std::vector<Step>, std::vector<Part>>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
  static const void* said(const Input&, const Tables&);
};

} // namespace perfmodel
