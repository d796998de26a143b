// A warp at a branch: its lanes coloured by the way that they take, and below them each pass with the lanes
// that work in it.
#include "kinds.hpp"

#include "input_of.hpp"
#include "models/access/divergence_question.hpp"
#include "models/core/error.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace perfmodel {

namespace divergence_lanes {

constexpr std::size_t idle = 0; // of the kinds; the ways follow it
constexpr double row_height = 1, gap = 0.25;
constexpr std::size_t most_passes = 64;
constexpr std::int64_t not_taken = INT64_MIN; // a way of its own

struct WarpAtBranch {
  std::int64_t block = 0, warp = 0;
  std::uint32_t live = 0;
  std::array<std::int64_t, warp_lanes> way{}, trips{}; // of lanes that have work
  std::uint32_t working = 0;

  bool diverges() const {
    bool first = true, differs = working != live && working != 0;
    std::int64_t of = 0, times = 0;
    for (std::size_t l = 0; l < warp_lanes; ++l) {
      if ((working >> l & 1u) == 0) continue;
      if (!first) differs = differs || way[l] != of || trips[l] != times;
      first = false, of = way[l], times = trips[l];
    }
    return differs;
  }
};

class Walker {
public:
  Walker(const Divergence::Input& in, const DivergenceQuestion& q)
      : walk_(in.block, in.grid, in.let), otherwise_(q.branching.otherwise) {
    walk_.guard_by(q.branching.predicate, "--if");
    if (!q.branching.path.empty()) path_ = walk_.add(q.branching.path, "--path");
    if (!q.branching.trips.empty()) trips_ = walk_.add(q.branching.trips, "--trips");
  }

  // In step i, the warp of that place; without one, the first that diverges. None: no warp does.
  std::optional<WarpAtBranch> at(std::int64_t i, const WarpAtBranch* place) {
    std::optional<WarpAtBranch> found;
    walk_.each_warp(i, [&](const WarpView& view) {
      if (found) return;
      WarpAtBranch warp = of(view);
      if (place == nullptr ? warp.diverges() : view.block == place->block && view.warp == place->warp)
        found = warp;
    });
    return found;
  }

private:
  WarpAtBranch of(const WarpView& view) const {
    WarpAtBranch warp{.block = view.block, .warp = view.warp, .live = view.live};
    for (std::size_t l = 0; l < warp_lanes; ++l) {
      const bool takes = (view.active >> l & 1u) != 0, lives = (view.live >> l & 1u) != 0;
      if (!takes && !(lives && otherwise_)) continue;
      warp.way[l] = !takes ? not_taken : path_ ? view.values(*path_)[l] : 0;
      warp.trips[l] = takes && trips_ ? std::max<std::int64_t>(view.values(*trips_)[l], 0) : 1;
      if (warp.trips[l] > 0) warp.working |= 1u << l;
    }
    return warp;
  }

  LaunchWalk walk_;
  bool otherwise_;
  std::optional<std::size_t> path_, trips_;
};

class Picture {
public:
  explicit Picture(DivergenceQuestion q) : q_(std::move(q)) {
    drawing.kinds = {{"idle", Drawing::Tone::quiet}};
    drawing.width = static_cast<double>(warp_lanes);
    for (std::size_t l = 0; l < warp_lanes; ++l)
      drawing.columns.push_back({static_cast<double>(l) + 0.5, fmt::format("{}", l)});
  }

  void step(const WarpAtBranch& warp, std::int64_t i) {
    std::map<std::int64_t, std::int64_t> ways; // with the most trips of each
    for (std::size_t l = 0; l < warp_lanes; ++l)
      if ((warp.working >> l & 1u) != 0) ways[warp.way[l]] = std::max(ways[warp.way[l]], warp.trips[l]);
    const std::string lead = q_.steps > 1 ? fmt::format("step {}", i) : "";
    // One way is one row where there are many steps, for the steps are what is to be seen.
    for (const auto& [way, trips] : ways)
      for (std::int64_t trip = 0; trip < trips; ++trip) {
        if (++passes > most_passes)
          throw InputError(fmt::format("--draw lanes: more than {} passes are no picture", most_passes));
        std::string name = name_of(way);
        if (trips > 1) name += fmt::format(", trip {}", trip + 1);
        row(warp, way, trip, lead.empty() ? name : lead + ": " + name);
      }
    if (!ways.empty()) return;
    row(warp, 0, INT64_MAX, lead.empty() ? "nobody" : lead + ": nobody");
  }

  Drawing drawing;
  std::size_t passes = 0, working = 0;

private:
  std::string name_of(std::int64_t way) const {
    if (way == not_taken) return "else";
    return q_.branching.path.empty() ? (q_.branching.predicate.empty() ? "loop" : "if")
                                     : fmt::format("way {}", way);
  }
  std::size_t kind_of(std::int64_t way) {
    const auto [at, is_new] = kinds_.emplace(way, drawing.kinds.size());
    if (is_new) drawing.kinds.push_back({name_of(way)});
    return at->second;
  }

  void row(const WarpAtBranch& warp, std::int64_t way, std::int64_t trip, std::string name) {
    for (std::size_t l = 0; l < warp_lanes; ++l) {
      const bool works = (warp.working >> l & 1u) != 0 && warp.way[l] == way && warp.trips[l] > trip;
      working += works ? 1 : 0;
      drawing.cells.push_back({.left = static_cast<double>(l),
                               .top = y_,
                               .height = row_height,
                               .text = {},
                               .title = fmt::format("lane {} (thread {} of block {}): {}", l,
                                                    warp.warp * static_cast<std::int64_t>(warp_lanes) +
                                                        static_cast<std::int64_t>(l),
                                                    warp.block, works ? name : "idle"),
                               .kind = works ? kind_of(way) : idle});
    }
    drawing.rows.push_back({y_ + row_height / 2, std::move(name)});
    y_ += row_height + gap;
    drawing.height = y_ - gap;
  }

  DivergenceQuestion q_;
  std::map<std::int64_t, std::size_t> kinds_;
  double y_ = 0;
};

} // namespace divergence_lanes

Drawing draw_lanes(const Gpu& gpu, const Request& request) {
  using namespace divergence_lanes;
  const auto in = input_of<Divergence::Input>(request);
  const bool asked = !in.predicate.empty() || !in.path.empty() || !in.trips.empty();
  if (in.kernel ? *in.kernel == DivergentKernel::matmul_boundary : !asked)
    throw InputError("--draw lanes is of --if, --path, --trips or a reduction: --draw blocks shows "
                     "matmul-boundary");
  Plain trace;
  Divergence::predict(gpu, in, trace); // refuses what is no question
  const DivergenceQuestion q = divergence_question(in);
  Walker walker(in, q);
  std::optional<WarpAtBranch> shown;
  for (std::int64_t i = 0; i < q.steps && !shown; ++i) shown = walker.at(i, nullptr);
  const bool none = !shown;
  const WarpAtBranch place = shown.value_or(WarpAtBranch{});
  Picture picture(q);
  for (std::int64_t i = 0; i < q.steps; ++i) picture.step(*walker.at(i, &place), i);
  Drawing& d = picture.drawing;
  d.title = fmt::format("The lanes of a warp: {}", q.name);
  const double share =
      static_cast<double>(picture.working) /
      (static_cast<double>(std::max<std::size_t>(picture.passes, 1)) * static_cast<double>(warp_lanes));
  d.verdict = {fmt::format("Warp {} of block {}{}: {} pass{}, in which {:.3g} % of the lanes work.",
                           place.warp, place.block,
                           none ? " (no warp diverges)" : ", the first that diverges", picture.passes,
                           picture.passes == 1 ? "" : "es", 100 * share)};
  return std::move(d);
}

} // namespace perfmodel
