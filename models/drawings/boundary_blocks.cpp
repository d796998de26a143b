// The blocks of a tiled matrix product over the matrix, by how their check diverges while they load tiles of
// M: those inside in the last phase alone, those of the last row in every warp that crosses the edge.
#include "kinds.hpp"

#include "input_of.hpp"
#include "models/access/divergence.hpp"
#include "models/access/matmul_boundary.hpp"
#include "models/core/error.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

namespace perfmodel {

namespace boundary_blocks {
enum Kinds : std::size_t { inside, at_edge };
constexpr std::int64_t most_blocks = 32; // along a side
} // namespace boundary_blocks

Drawing draw_boundary_blocks(const Gpu& gpu, const Request& request) {
  using namespace boundary_blocks;
  const auto in = input_of<Divergence::Input>(request);
  if (in.kernel.value_or(DivergentKernel::matmul_boundary) != DivergentKernel::matmul_boundary ||
      !in.predicate.empty() || !in.path.empty() || !in.trips.empty())
    throw InputError("--draw blocks is of --kernel matmul-boundary: --draw lanes shows other branches");
  Plain trace;
  Divergence::predict(gpu, in, trace); // refuses what is no question
  const auto width = static_cast<std::int64_t>(in.width.value_or(100)),
             tile = static_cast<std::int64_t>(in.tile.value_or(16));
  const std::int64_t across = (width + tile - 1) / tile, rest = width % tile;
  if (across > most_blocks)
    throw InputError(fmt::format("--draw blocks: {} x {} blocks are no picture; {} along a side can be seen",
                                 across, across, most_blocks));
  double each[2] = {0, 0}, divergent = 0, all = 0; // warp-phases that diverge, of a block
  for (const BoundaryPart& part : matmul_boundary(width, tile)) {
    if (part.operand != Operand::m) continue;
    each[part.at_edge ? at_edge : inside] = part.count.divergent / part.blocks;
    divergent += part.count.divergent, all += part.count.warp_steps;
  }
  Drawing d;
  d.kinds = {{fmt::format("type 1: inside, {:.3g} warp-phases of a block diverge", each[inside])},
             {fmt::format("type 2: at the lower edge, {:.3g} diverge", each[at_edge])}};
  const auto side = static_cast<double>(across);
  d.width = d.height = side;
  for (std::int64_t by = 0; by < across; ++by) {
    d.rows.push_back({static_cast<double>(by) + 0.5, fmt::format("by = {}", by)});
    d.columns.push_back({static_cast<double>(by) + 0.5, fmt::format("{}", by)});
    for (std::int64_t bx = 0; bx < across; ++bx) {
      const std::size_t kind = rest > 0 && by + 1 == across ? at_edge : inside;
      d.cells.push_back({.left = static_cast<double>(bx),
                         .top = static_cast<double>(by),
                         .text = fmt::format("{:.3g}", each[kind]),
                         .title = fmt::format("block ({}, {}): {:.3g} warp-phases diverge at the load of M",
                                              bx, by, each[kind]),
                         .kind = kind});
    }
  }
  const double border = static_cast<double>(width) / static_cast<double>(tile);
  const auto edge = [&](double from_x, double from_y) {
    d.arrows.push_back({.from_x = from_x,
                        .from_y = from_y,
                        .to_x = border,
                        .to_y = border,
                        .title = fmt::format("the edge of the matrix: {} rows and columns", width),
                        .tone = Drawing::Tone::alarm,
                        .line = true});
  };
  edge(border, 0);
  edge(0, border);
  d.title = fmt::format("Boundary checks of a tiled product: {0} x {0} in tiles of {1} x {1}", width, tile);
  d.verdict = {
      fmt::format("Loading M, {:.0f} of {:.0f} warp-phases diverge, {:.3g} %; each block shows its own. "
                  "The thick line is the edge of the matrix.",
                  divergent, all, 100 * divergent / all)};
  return d;
}

} // namespace perfmodel
