// A watched SM over time: how full its issue slots are, the blocks that it runs, the warps of the first, and
// what they wait for. Of the timeline's letters neighbours that are the same are one cell.
#include "kinds.hpp"

#include "input_of.hpp"
#include "models/core/error.hpp"
#include "models/core/trace.hpp"
#include "models/ladders/matmul.hpp"
#include "models/ladders/pi.hpp"
#include "models/ladders/reduction.hpp"
#include "models/ladders/suffix_sums.hpp"
#include "models/ladders/transpose.hpp"
#include "models/views/kernel.hpp"
#include "models/views/same_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

namespace perfmodel {

namespace timeline_lanes {

enum Kinds : std::size_t { busy, idle, stalls };
constexpr double row_height = 1, gap = 0.2;

class Picture {
public:
  Picture(const std::vector<TimelineState>& states, double end, std::size_t slices)
      : slice_(end / static_cast<double>(slices)) {
    drawing.kinds = {{"instructions are issued"}, {"", Drawing::Tone::quiet}};
    for (const TimelineState& state : states)
      if (state.letter.size() == 1) {
        letters_.emplace(state.letter.front(), drawing.kinds.size());
        drawing.kinds.push_back({fmt::format("waits: {}", state.state)});
      }
    drawing.width = end, drawing.across = "cycles from the first launch of a block on",
    drawing.across_unit = {"cycle", {}};
  }

  void row(const TimelineStrip& strip) {
    const std::string& of = strip.states;
    for (std::size_t from = 0; from < of.size();) {
      std::size_t to = from + 1;
      while (to < of.size() && of[to] == of[from]) ++to;
      if (of[from] != ' ') add(strip.what, of[from], from, to);
      from = to;
    }
    drawing.rows.push_back({y_ + row_height / 2, strip.what});
    y_ += row_height + gap;
    drawing.height = y_ - gap;
  }

  Drawing drawing;

private:
  void add(const std::string& what, char state, std::size_t from, std::size_t to) {
    const auto letter = letters_.find(state);
    const bool is_sm = what == "SM";
    const std::size_t kind = !is_sm && letter != letters_.end() ? letter->second : state == '.' ? idle : busy;
    const std::string share = state == '#' ? "all" : state == '.' ? "few" : fmt::format("{} tenths", state);
    drawing.cells.push_back(
        {.left = static_cast<double>(from) * slice_,
         .top = y_,
         .width = static_cast<double>(to - from) * slice_,
         .height = row_height,
         .text = is_sm && state != '.' ? fmt::format("{}", state == '#' ? "10" : std::string(1, state)) : "",
         .title = fmt::format("{}: {}", what,
                              is_sm          ? share + " of the issue slots"
                              : kind == idle ? "between its warps' ends"
                                             : drawing.kinds[kind].name),
         .kind = kind});
  }

  double slice_;
  std::map<char, std::size_t> letters_;
  double y_ = 0;
};

struct Watched {
  std::vector<TimelineStrip> strips;
  std::vector<TimelineState> states;
  std::vector<TimelineSlice> slices;

  template <class Tables> static Watched of(const Tables& tables) {
    return {std::get<std::vector<TimelineStrip>>(tables), std::get<std::vector<TimelineState>>(tables),
            std::get<std::vector<TimelineSlice>>(tables)};
  }
};

Drawing drawn(const Gpu& gpu, const Watched& watched, std::string_view of) {
  const auto& [strips, states, slices] = watched;
  if (strips.empty() || slices.empty()) throw InputError("--draw timeline: no SM was watched");
  double end = 0;
  for (const TimelineSlice& slice : slices) end = std::max(end, slice.to);
  Picture picture(states, end, strips.front().states.size());
  for (const TimelineStrip& strip : strips) picture.row(strip);
  Drawing& d = picture.drawing;
  d.title = fmt::format("An SM of {} over time: {}", gpu.name, of);
  d.verdict = {"A number in the first row, where there is room for it, is the tenths of the SM's issue slots "
               "that are used. Each row shows what its warps wait for most."};
  return std::move(d);
}

} // namespace timeline_lanes

Drawing draw_timeline(const Gpu& gpu, const Request& request) {
  using namespace timeline_lanes;
  auto in = input_of<KernelModel::Input>(request);
  if (in.launches) throw InputError("--draw timeline is of one launch: --launches has several");
  in.view = KernelView::timeline;
  Plain trace;
  const KernelModel::Tables tables = KernelModel::predict(gpu, in, trace);
  const auto& launch = std::get<std::vector<KernelModel::Summary>>(tables).front();
  Drawing d = drawn(gpu, Watched::of(tables), written_name(launch.kernel));
  d.verdict.front() = fmt::format("{:.0f} blocks at a time. ", launch.resident) + d.verdict.front();
  return d;
}

template <class Ladder> Drawing draw_rung_timeline(const Gpu& gpu, const Request& request) {
  using namespace timeline_lanes;
  auto in = input_of<typename Ladder::Input>(request);
  if (!in.version) throw InputError("--draw timeline is of one version: name it with --version");
  in.view = RungView::timeline;
  Plain trace;
  const Watched watched = Watched::of(Ladder::predict(gpu, in, trace));
  const std::string version = watched.strips.empty() ? "" : watched.strips.front().version;
  return drawn(gpu, watched, fmt::format("{} {}", Ladder::info.name, version));
}

template Drawing draw_rung_timeline<Reduction>(const Gpu&, const Request&);
template Drawing draw_rung_timeline<Pi>(const Gpu&, const Request&);
template Drawing draw_rung_timeline<SuffixSums>(const Gpu&, const Request&);
template Drawing draw_rung_timeline<Transpose>(const Gpu&, const Request&);
template Drawing draw_rung_timeline<Matmul>(const Gpu&, const Request&);

} // namespace perfmodel
