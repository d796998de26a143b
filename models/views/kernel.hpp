// A kernel from its machine code: the listing says what is done, the launch with how much, the GPU what it
// costs.
#pragma once

#include "code_rows.hpp"
#include "kernel_roofs.hpp"
#include "launch_rows.hpp"
#include "timeline_rows.hpp"

#include "models/core/model.hpp"
#include "models/core/shape.hpp"
#include "models/kernel/captured_launches.hpp"
#include "models/kernel/launch_arguments.hpp"
#include "models/simulate/kernel_time.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

// A file of machine code, or the name of a family that the tool knows. Which function of it is asked about,
// another option says.
struct Listing {
  static constexpr std::string_view shipped_in = "kernels", shipped_default = "vector-copy";
  std::string listing;
  static Listing from_text(std::string_view text);
  const std::string& text() const { return listing; }
};

enum class KernelView : std::uint8_t { summary, stalls, pipes, code, timeline, what_if, all };
constexpr auto names(KernelView) {
  return std::to_array<std::string_view>(
      {"summary", "stalls", "pipes", "code", "timeline", "what-if", "all"});
}

struct KernelModel {
  static constexpr ModelInfo info{
      .name = "kernel",
      .summary = "Kernel: time, traffic and stalls of a launch, from its machine code",
      .equation = "time = turn of launches + simulated cycles of an SM / clock; counts: sampled blocks, run",
      .source = "Huerta et al., MICRO 2025; Jia et al., arXiv 1804.06826",
      .reading = "Instructions are run for the lanes of sampled blocks; data that is loaded is not known. A "
                 "stall is "
                 "a cycle of a resident warp that does not issue.",
      .tolerance = 0.25,
      .chart = ChartKind::bars,
      .x = "kernel",
      .y = "time",
      .series = "gpu",
      .simulated = true,
      .positional = "listing",
      .examples = "vector-copy --hw h200,m2090; vector-copy --hw h200 --view stalls"};

  struct Input {
    Listing listing;
    std::string kernel;
    Shape grid{32768, 1, 1}, block{256, 1, 1};
    KernelArguments arg = KernelArguments::from_text("out=32MiB,in=32MiB,n=8388608");
    Bytes shared{0};
    std::optional<Caches> cache;  // cold; of a file of launches, warm where they came in a row, or left
    std::optional<TimedBy> timed; // as the file of launches was captured; graph where there is none
    Unknown unknown = Unknown::refuse;
    LoadedIndex index = LoadedIndex::refuse;
    KernelView view = KernelView::summary;
    std::optional<CapturedLaunches> launches;
    static void fields(auto& field) {
      field(&Input::listing, "listing",
            "machine code: a file that cuobjdump -sass or nvdisasm -hex wrote, or a name, such as one of the "
            "templates below; several, with commas between, are compared");
      field(&Input::kernel, "kernel",
            "the function of a file, by its name or a part of it that no other has; \"\": the only one");
      field(&Input::grid, "grid", "blocks of the grid, such as 4096 or 256x256");
      field(&Input::block, "block", "threads of a block, such as 256 or 16x16");
      field(
          &Input::arg, "arg",
          "arguments in order: n=1024, alpha=1.5, in=64MiB for a pointer to as much, in=@FILE to what a file "
          "holds; again for more");
      field(&Input::shared, "shared", "dynamic shared memory of a block", Range::not_negative);
      field(&Input::cache, "cache",
            "what L2 holds at the start: nothing of it (cold), all that fits (warm), or what the launches "
            "before left of each array, as far as a file of launches says it (left); default: cold; of a "
            "timed launch of a file warm where at least half came right behind one like it and no other "
            "array was used in between, else left, or cold where the file does not say what came before");
      field(
          &Input::timed, "timed",
          "who times it: many launches in a graph or a stream (graph, events), a trace (nsys, capture), "
          "capture that is serial, or a profiler (ncu); default: graph, of a file of launches what captured "
          "it");
      field(&Input::unknown, "unknown",
            "which way a branch goes that depends on loaded data; coin: half of the lanes each way");
      field(
          &Input::index, "index",
          "where an access leads whose address depends on loaded data; spread: anywhere in its array, near: "
          "from neighbours to neighbours");
      field(&Input::view, "view", "what is shown; all: but the timeline");
      field(&Input::launches, "launches",
            "the file that capture wrote: each launch in it, in place of grid, block, arg and shared");
    }
  };

  using Summary = LaunchSummary;
  using Accesses = LaunchAccesses;
  using StallRow = LaunchStall;
  using Pipe = BusyUnit;
  using CodeLine = ExecutedLine;
  using Instead = ChangedLaunch;
  using Missing = UnpredictedLaunch;
  using Tables =
      std::tuple<std::vector<Summary>, std::vector<Accesses>, std::vector<StallRow>, std::vector<Pipe>,
                 std::vector<CodeLine>, std::vector<Instead>, std::vector<Missing>, std::vector<CodeCount>,
                 std::vector<CodeGroup>, std::vector<TimelineStrip>, std::vector<TimelineState>,
                 std::vector<TimelineSlice>, std::vector<KernelRoof>>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
};

} // namespace perfmodel
