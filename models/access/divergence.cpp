#include "divergence.hpp"

#include "divergence_question.hpp"
#include "matmul_boundary.hpp"
#include "models/core/error.hpp"
#include "models/core/expression/syntax.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <cmath>

namespace perfmodel {

namespace {

using Input = Divergence::Input;

// The numbers of one row, from what was counted.
template <class T>
Divergence::Branch row_of(std::string branch, const DivergenceCount& c, const auto& lanes, T& trace) {
  const auto counted = [&](const char* symbol, const char* meaning, double value) {
    return trace.define(symbol, meaning, trace.number(value));
  };
  Divergence::Branch row{.branch = std::move(branch),
                         .warp_steps = c.warp_steps,
                         .active = c.active_warp_steps,
                         .divergent = c.divergent,
                         .passes = c.passes};
  const auto divergent = counted("divergent", "counted: warps x steps whose lanes differ", c.divergent);
  const auto all = counted("warp_steps", "counted: warps x steps", c.warp_steps);
  row.fraction = value_of(trace.define("fraction", "of warps that diverge", divergent / all));
  if (c.passes == 0) return row;
  const auto passes = counted("passes", "counted: sum over ways of the most trips", c.passes);
  const auto work = counted("lane_passes", "counted: sum over lanes of trips", c.lane_passes);
  const auto even = counted("even_passes", "counted: sum over warps of the mean trips", c.mean_passes);
  const auto threads = trace.define("threads_per_instruction", "lanes at work in a pass", work / passes);
  row.one_way = c.mean_passes;
  row.threads_per_instruction = value_of(threads);
  row.efficiency = value_of(trace.define("simt_efficiency", "lanes at work", threads / lanes));
  row.slowdown = value_of(trace.define("slowdown", "passes over those of one way", passes / even));
  return row;
}

// row < n, n > col, and several of them: whether a thread's place in the grid is inside.
bool is_boundary_check(const Node& n) {
  const auto is_place = [](const Node& side) {
    return side.op == Op::name && (side.name == "row" || side.name == "col" || side.name == "gid");
  };
  switch (n.op) {
  case Op::logical_and:
    return is_boundary_check(n.children[0]) && is_boundary_check(n.children[1]);
  case Op::less:
  case Op::less_equal:
    return is_place(n.children[0]) && !is_place(n.children[1]);
  case Op::greater:
  case Op::greater_equal:
    return !is_place(n.children[0]) && is_place(n.children[1]);
  default:
    return false;
  }
}

std::string advice(const DivergenceCount& c, const Branching& b) {
  if (c.divergent == 0) return "none: no warp diverges";
  if (!b.path.empty())
    return "let the way depend on the warp (tid / 32), not the lane, or sort the work by its way";
  if (!b.trips.empty()) return "sort the work by its trips, so that the lanes of a warp have the same";
  if (is_boundary_check(b.predicate.root()))
    return "a boundary check: sizes padded to whole blocks have no warp diverge";
  if (c.least_divergent < c.divergent)
    return fmt::format(
        "let threads side by side take the branch (tid < count, or tid / 32): {:.0f} warp{} would "
        "diverge",
        c.least_divergent, c.least_divergent == 1 ? "" : "s");
  return "only a count of active threads that fills whole warps would remove it";
}

// An option that the question does not read was meant for another.
void refuse_unread(const Input& in, bool matmul) {
  const Input usual;
  if (in.otherwise != usual.otherwise && in.predicate.empty())
    throw InputError("--else says what lanes do that do not take --if: give --if");
  const bool launch = in.block != usual.block || in.grid != usual.grid;
  const bool expressions = in.let != usual.let || in.steps != usual.steps;
  if (matmul && (launch || expressions))
    throw InputError(
        "matmul-boundary reads --width and --tile alone: its blocks are tiles, its grid covers the "
        "matrix, its steps are the phases");
  if (!matmul && in.kernel && expressions)
    throw InputError(
        "a reduction reads --block and --grid alone: its steps are log2 of the threads of a block");
  if (!matmul && (in.width || in.tile))
    throw InputError(
        "--width and --tile are read by --kernel matmul-boundary alone; expressions take --let names");
}

const char* name_of(Operand operand) {
  return operand == Operand::m ? "load of M" : operand == Operand::n ? "load of N" : "either load";
}

std::string boundary_advice(const DivergenceCount& c, std::int64_t width, std::int64_t tile) {
  if (c.divergent == 0) return "none: no warp diverges";
  return fmt::format("pad the matrices to {} rows: no warp diverges", (width + tile - 1) / tile * tile);
}

template <class T> Divergence::Tables boundary(const Gpu& gpu, const Input& in, T& trace) {
  const double rows = in.width.value_or(100), side = in.tile.value_or(16);
  if (side > 1e4 || rows > 1e9)
    throw InputError("--tile of at most 10000 and --width of at most 1e9 are counted");
  const auto width = static_cast<std::int64_t>(rows), tile = static_cast<std::int64_t>(side);
  if (const double most = gpu.at(facts::max_threads_per_block).value; side * side > most)
    throw InputError(fmt::format("--tile {}: blocks of {} threads, but a block of {} has at most {:.0f}",
                                 tile, tile * tile, gpu.name, most));
  const auto lanes = trace.fact(gpu, facts::warp_size);
  Divergence::Tables tables;
  auto& [branches, steps, parts] = tables;
  const std::vector<BoundaryPart> all = matmul_boundary(width, tile);
  for (const Operand operand : {Operand::m, Operand::n, Operand::either}) {
    DivergenceCount sum;
    for (const BoundaryPart& part : all) {
      if (part.operand != operand) continue;
      sum += part.count;
      if (operand == Operand::either) continue;
      parts.push_back({.branch = name_of(operand),
                       .blocks = part.at_edge ? operand == Operand::m ? "last row" : "last column" : "inside",
                       .count = part.blocks,
                       .warp_steps = part.count.warp_steps,
                       .divergent = part.count.divergent});
    }
    Plain plain; // the steps are shown once, for M
    Divergence::Branch row = operand == Operand::m ? row_of(name_of(operand), sum, lanes, trace)
                                                   : row_of(name_of(operand), sum, value_of(lanes), plain);
    row.width = rows;
    if (operand == Operand::m) row.advice = boundary_advice(sum, width, tile); // the same for all
    branches.push_back(std::move(row));
  }
  return tables;
}

} // namespace

template <class T> Divergence::Tables Divergence::predict(const Gpu& gpu, const Input& in, T& trace) {
  const bool asked = !in.predicate.empty() || !in.path.empty() || !in.trips.empty();
  if (asked && in.kernel)
    throw InputError("--kernel has a branch of its own: leave --if, --path and --trips away");
  const bool matmul = in.kernel ? *in.kernel == DivergentKernel::matmul_boundary : !asked;
  refuse_unread(in, matmul);
  if (matmul) return boundary(gpu, in, trace);
  check_block(gpu, in.block);
  check_grid(gpu, in.grid);
  const auto lanes = trace.fact(gpu, facts::warp_size);
  const DivergenceQuestion q = divergence_question(in);
  const std::vector<DivergenceCount> counts =
      count_divergence(LaunchWalk(in.block, in.grid, in.let), q.branching, q.steps);
  Tables tables;
  DivergenceCount sum;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sum += counts[i];
    if (counts.size() > 1)
      std::get<1>(tables).push_back({.step = fmt::format("{}", i),
                                     .active = counts[i].active_warp_steps,
                                     .divergent = counts[i].divergent,
                                     .fraction = counts[i].divergent / counts[i].warp_steps,
                                     .passes = counts[i].passes});
  }
  Branch row = row_of(q.name, sum, lanes, trace);
  row.advice = advice(sum, q.branching);
  std::get<0>(tables).push_back(std::move(row));
  return tables;
}

const void* Divergence::said(const Input&, const Tables& rows) {
  return &std::get<0>(rows).back().fraction; // of several, all together
}

std::string Divergence::verdict(const Gpu&, const Input&, const Tables& rows) {
  const std::vector<Branch>& branches = std::get<0>(rows);
  const Branch& b = branches.back(); // of several, all together
  const std::string at = branches.size() > 1 ? fmt::format(" at {}", b.branch) : "";
  if (b.divergent == 0) return fmt::format("None of {} diverges{}.", in_words(b.warp_steps, "warps"), at);
  std::string text = fmt::format("{} of {} {}{}, {}", in_words(b.divergent), in_words(b.warp_steps, "warps"),
                                 b.divergent == 1 ? "diverges" : "diverge", at, in_percent(b.fraction));
  if (!std::isnan(b.slowdown))
    text += fmt::format(": {} times the work of warps that nothing splits", in_words(b.slowdown));
  return text + ".";
}

template Divergence::Tables Divergence::predict(const Gpu&, const Input&, Plain&);
template Divergence::Tables Divergence::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
