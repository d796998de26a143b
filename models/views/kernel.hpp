// A kernel from its machine code: the listing says what is done, the launch with how much, the GPU what it
// costs.
#pragma once

#include "code_rows.hpp"
#include "kernel_roofs.hpp"
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
    Caches cache = Caches::cold;
    std::optional<TimedBy> timed; // as the file of launches was captured; graph where there is none
    Unknown unknown = Unknown::refuse;
    LoadedIndex index = LoadedIndex::refuse;
    KernelView view = KernelView::summary;
    std::optional<CapturedLaunches> launches;
    static void fields(auto& field) {
      field(&Input::listing, "listing",
            "machine code: a file that cuobjdump -sass or nvdisasm -hex wrote, or a name; templates: "
            "perfmodel rank --help; several, with commas between, are compared");
      field(&Input::kernel, "kernel",
            "the function, or a part of its name that no other has; \"\": the only one");
      field(&Input::grid, "grid", "blocks of the grid, such as 4096 or 256x256");
      field(&Input::block, "block", "threads of a block, such as 256 or 16x16");
      field(
          &Input::arg, "arg",
          "arguments in order: n=1024, alpha=1.5, in=64MiB for a pointer to as much, in=@FILE to what a file "
          "holds; again for more");
      field(&Input::shared, "shared", "dynamic shared memory of a block", Range::not_negative);
      field(&Input::cache, "cache", "what L2 holds at the start: nothing of it, or all that fits");
      field(
          &Input::timed, "timed",
          "who times it: many launches in a graph or a stream (graph, events), a trace (nsys, capture), "
          "capture that is serial, or a profiler (ncu); default: graph, of a file of launches what captured "
          "it");
      field(&Input::unknown, "unknown", "of a branch that goes by loaded data; coin: half of the lanes");
      field(&Input::index, "index",
            "where an address that goes by loaded data leads: anywhere in its array, or from neighbours to "
            "neighbours");
      field(&Input::view, "view", "what is shown; all: but the timeline");
      field(&Input::launches, "launches",
            "the file that capture wrote: each launch in it, in place of grid, block, arg and shared");
    }
  };

  struct Summary {
    static constexpr std::string_view title = "launch";
    Count number = absent; // of a file of launches, from 1; so in all tables
    std::string kernel;
    Shape grid, block;
    std::string arguments;
    Seconds time;
    Seconds measured{absent};
    double error = absent;
    Count runs = absent;
    std::string bound;
    Count blocks = 0, resident = 0, waves = 0;
    double occupancy = 0, instructions = 0, per_cycle = 0;
    Bytes l2_read{absent}, dram_read{absent}, dram_written{absent};
    BytesPerSecond dram_rate{absent};
    std::string cache, timed, code, dependences, assumes;
    bool assumes_data = false;     // something of what is loaded, which is not known
    bool goes_by_contents = false; // of memory at the launch, which are
    static void fields(auto& field) {
      using R = Summary;
      field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
      field(&R::kernel, "kernel", "the function", Range::any, Role::key);
      field(&R::grid, "grid", "blocks of the grid", Range::any, Role::key);
      field(&R::block, "block", "threads of a block", Range::any, Role::key);
      field(&R::arguments, "arguments", "as they were captured", Range::any, Role::key);
      field(&R::time, "time", "of the launch, as what 'timed' names would give it");
      field(&R::measured, "measured", "median of the launches' times, where it was captured", Range::any,
            Role::measured);
      field(&R::error, "error", "of the predicted time: over the measured one, less one", Range::any,
            Role::measured, "fraction");
      field(&R::runs, "runs", "of which that is the median", Range::any, Role::measured);
      field(&R::bound, "bound", "what is busy for nearly all of the time", Range::any, Role::note);
      field(&R::blocks, "blocks", "of the grid");
      field(&R::resident, "resident", "blocks that an SM holds at a time");
      field(&R::waves, "waves", "blocks over those that all SMs hold", Range::any, Role::predicted, "waves");
      field(&R::occupancy, "occupancy", "resident warps over warp slots", Range::any, Role::predicted,
            "fraction");
      field(&R::instructions, "instructions", "that warps issue, all together", Range::any, Role::predicted,
            "instructions");
      field(&R::per_cycle, "per_cycle", "instructions of an SM in a cycle", Range::any, Role::predicted,
            "instructions");
      field(&R::l2_read, "l2_read", "bytes that L1 lacks; empty: none");
      field(&R::dram_read, "dram_read", "bytes from device memory; empty: none");
      field(&R::dram_written, "dram_written", "bytes to device memory while the kernel runs; empty: none");
      field(&R::dram_rate, "dram_rate", "both over the time");
      field(&R::cache, "cache", "what L2 holds at the start", Range::any, Role::note);
      field(&R::timed, "timed", "by what, beside the work of its blocks, launches take", Range::any,
            Role::note);
      field(&R::code, "code", "the architecture that it was compiled for", Range::any, Role::note);
      field(&R::dependences, "dependences", "what says how long warps wait", Range::any, Role::note);
      field(&R::assumes, "assumes",
            "of what goes by loaded data, in the block in the middle, and of where memory lies", Range::any,
            Role::note);
    }
  };

  struct Accesses {
    static constexpr std::string_view title = "accesses";
    std::string memory;
    Count requests = 0, sectors = 0;
    double each = 0, least = 0;
    Count number = absent;
    static void fields(auto& field) {
      using R = Accesses;
      field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
      field(&R::memory, "memory", "which accesses", Range::any, Role::key);
      field(&R::requests, "requests", "instructions of warps", Range::any, Role::predicted, "requests");
      field(&R::sectors, "pieces", "sectors of 32 bytes, or wavefronts of shared memory", Range::any,
            Role::predicted, "pieces");
      field(&R::each, "per_request", "pieces of a request", Range::any, Role::predicted, "pieces");
      field(&R::least, "least", "without bank conflicts", Range::any, Role::predicted, "pieces");
    }
  };

  struct StallRow {
    static constexpr std::string_view title = "why warps do not issue";
    std::string stall;
    double share = 0, cycles = 0;
    Count number = absent;
    static void fields(auto& field) {
      using R = StallRow;
      field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
      field(&R::stall, "stall", "the reason, by the profiler's names", Range::any, Role::key);
      field(&R::share, "share", "of the cycles of resident warps", Range::any, Role::predicted, "fraction");
      field(&R::cycles, "per_instruction", "cycles for each instruction that is issued", Range::any,
            Role::predicted, "cycles");
    }
  };

  struct Pipe {
    static constexpr std::string_view title = "what is busy";
    std::string unit;
    double busy = 0;
    Count number = absent;
    static void fields(auto& field) {
      using R = Pipe;
      field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
      field(&R::unit, "unit", "of a scheduler, an SM or the device", Range::any, Role::key);
      field(&R::busy, "busy", "share of the time", Range::any, Role::predicted, "fraction");
    }
  };

  struct CodeLine {
    static constexpr std::string_view title = "machine code";
    std::string line, instruction;
    Count executed = 0;
    Count number = absent;
    static void fields(auto& field) {
      using R = CodeLine;
      field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
      field(&R::line, "line", "of the listing", Range::any, Role::key);
      field(&R::instruction, "instruction", "as it is listed", Range::any, Role::note);
      field(&R::executed, "executed", "times, by the warps of the block in the middle of the grid",
            Range::any, Role::predicted, "times");
    }
  };

  struct Instead {
    static constexpr std::string_view title = "what if";
    std::string change;
    Seconds time;
    double gain = 1;
    Count number = absent;
    static void fields(auto& field) {
      using R = Instead;
      field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
      field(&R::change, "change", "what is thought away", Range::any, Role::key);
      field(&R::time, "changed_time", "of the same launch, simulated again");
      field(&R::gain, "gain", "over it as it is", Range::any, Role::predicted, "times");
    }
  };

  // Of a file of launches: what is in none of the other tables.
  struct Missing {
    static constexpr std::string_view title = "not predicted";
    static constexpr std::string_view not_listed = "the listing has no such function";
    static constexpr std::string_view of_a_library =
        "a kernel of a library such as cuBLAS or PyTorch's is in that library: list it with 'cuobjdump -elf "
        "-sass libNAME.so', or take its cubins out with 'cuobjdump -xelf all libNAME.so' "
        "(docs/reference/capture.md)";
    Count number = absent;
    std::string kernel, why;
    static void fields(auto& field) {
      using R = Missing;
      field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
      field(&R::kernel, "kernel", "the function", Range::any, Role::key);
      field(&R::why, "why", "it is not", Range::any, Role::note);
    }
  };

  using Tables =
      std::tuple<std::vector<Summary>, std::vector<Accesses>, std::vector<StallRow>, std::vector<Pipe>,
                 std::vector<CodeLine>, std::vector<Instead>, std::vector<Missing>, std::vector<CodeCount>,
                 std::vector<CodeGroup>, std::vector<TimelineStrip>, std::vector<TimelineState>,
                 std::vector<TimelineSlice>, std::vector<KernelRoof>>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
};

} // namespace perfmodel
