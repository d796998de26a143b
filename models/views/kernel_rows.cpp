#include "kernel_rows.hpp"

#include "models/core/error.hpp"
#include "models/core/trace.hpp"
#include "models/kernel/known_kernels.hpp"
#include "models/simulate/launch_samples.hpp"
#include "models/simulate/run_shares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

bool shows(const KernelModel::Input& in, KernelView view) {
  return in.view == view || (in.view == KernelView::all && view != KernelView::timeline);
}

void check(const Gpu& gpu, const KernelLaunch& launch) {
  if (gpu.capability() == 0 && gpu.record(facts::max_grid_x.path) == nullptr)
    throw MissingFact(
        fmt::format("{} does not run the machine code of NVIDIA GPUs, which is what is simulated: "
                    "'perfmodel rank --flops 2Gflop --bytes 12GB' ranks it by its peak and its "
                    "bandwidth, with your numbers",
                    gpu.name),
        facts::max_grid_x.path);
  check_block(gpu, launch.block);
  check_grid(gpu, launch.grid);
}

std::vector<KernelModel::Accesses> accesses_of(const KernelTime& t) {
  const TraceCounts& c = t.counts;
  std::vector<KernelModel::Accesses> rows;
  if (c.load_requests > 0)
    rows.push_back({"global loads", c.load_requests, c.load_sectors, c.load_sectors / c.load_requests, {}});
  if (c.store_requests > 0)
    rows.push_back(
        {"global stores", c.store_requests, c.store_sectors, c.store_sectors / c.store_requests, {}});
  if (c.shared_wavefronts > 0)
    rows.push_back({"shared memory", absent, c.shared_wavefronts, absent, c.shared_least});
  return rows;
}

std::vector<KernelModel::StallRow> stalls_of(const KernelTime& t) {
  std::vector<KernelModel::StallRow> rows;
  for (StallShare& of : stall_shares(t)) rows.push_back({std::move(of.stall), of.share, of.per_instruction});
  return rows;
}

std::vector<KernelModel::Pipe> pipes_of(const KernelTime& t) {
  std::vector<KernelModel::Pipe> rows;
  for (UnitShare& of : unit_shares(t)) rows.push_back({std::move(of.unit), of.busy});
  return rows;
}

TimedBy timed_by(const KernelModel::Input& in) {
  if (in.timed) return *in.timed;
  if (!in.launches) return TimedBy::graph;
  return in.launches->serial ? TimedBy::serial : TimedBy::trace;
}

Bytes or_none(Bytes bytes) { return bytes > Bytes{0} ? bytes : Bytes{absent}; }

std::string assumptions(const BlockRun& run) {
  std::vector<std::string> all;
  if (run.slow_paths > 0) all.push_back(fmt::format("{} branches to slow paths not taken", run.slow_paths));
  if (run.long_divisions > 0)
    all.push_back(fmt::format("{} divisions of products taken to need 64 bits", run.long_divisions));
  if (run.assumed > 0) all.push_back(fmt::format("{} branches as --unknown says", run.assumed));
  if (run.indexed > 0) all.push_back(fmt::format("{} accesses as --index says", run.indexed));
  if (run.outside > 0)
    all.push_back(fmt::format("{} accesses of a block lie outside of its arrays", run.outside));
  if (run.looked_up > 0)
    all.push_back(fmt::format("{} look-ups of constants and local arrays by data, spread", run.looked_up));
  if (run.unknown_guards > 0)
    all.push_back(fmt::format("{} guarded instructions executed", run.unknown_guards));
  if (run.from_memory > 0)
    all.push_back(fmt::format("{} loads of what memory held at the launch", run.from_memory));
  if (run.repeated > 0)
    all.push_back(
        fmt::format("{} of them where only what stands before was kept, taken to be like it", run.repeated));
  if (run.drawn > 0)
    all.push_back(fmt::format("{} numbers of counters drawn in turn with all other blocks", run.drawn));
  if (run.settled > 0)
    all.push_back(fmt::format("{} words of all blocks as the first one leaves them", run.settled));
  if (run.from_blocks > 0)
    all.push_back(fmt::format("{} loads of what earlier blocks left, there at the first look but for what a "
                              "wave takes to look back",
                              run.from_blocks));
  if (run.waits_over > 0)
    all.push_back(fmt::format("{} waits for other blocks taken to be over", run.waits_over));
  return fmt::format("{}", fmt::join(all, ", "));
}

// First as if each block were alone. Where what it does is not known so, and the code waits for other blocks,
// in order.
template <class T> KernelTime time_of(const Gpu& gpu, KernelQuestion question, T& trace) {
  try {
    return kernel_time(gpu, question, trace);
  } catch (const MissingFact&) {
    throw;
  } catch (const InputError&) {
    if (!waits_for_others(question.code)) throw;
  }
  const Count held = launch_occupancy(gpu, question.code, question.launch).blocks;
  question.data.together = std::llround(std::max(1.0, held * gpu.at(facts::sm_count).value));
  return kernel_time(gpu, question, trace);
}

std::string l2_at_start(Caches caches, const KernelTime& t) {
  if (caches != Caches::left) return std::string(names(caches)[static_cast<std::size_t>(caches)]);
  if (t.arrays_in_l2 == 0) return "cold";
  if (t.arrays_in_l2 == t.arrays) return "warm";
  return fmt::format("{} of {} arrays warm", t.arrays_in_l2, t.arrays);
}

} // namespace

template <class T>
KernelModel::Tables launch_tables(const Gpu& gpu, const KernelModel::Input& in,
                                  const std::shared_ptr<const KernelCode>& kept, const KernelLaunch& given,
                                  Caches caches, T& trace) {
  const KernelCode& code = *kept;
  check(gpu, given);
  KernelLaunch launch = given;
  launch.arguments = with_variables(std::move(launch.arguments), code);
  const TimedBy timed = timed_by(in);
  const KernelTime t = time_of(gpu,
                               {.code = code,
                                .launch = launch,
                                .caches = caches,
                                .data = {in.unknown, in.index},
                                .code_stays = true,
                                .owner = kept,
                                .what_if = shows(in, KernelView::what_if),
                                .watch = shows(in, KernelView::timeline),
                                .timed = timed},
                               trace);
  const Count sms = gpu.at(facts::sm_count).value;
  KernelModel::Tables tables;
  std::get<0>(tables) = {
      {.kernel = code.name,
       .grid = launch.grid,
       .block = launch.block,
       .time = t.time,
       .bound = t.bound,
       .blocks = t.blocks,
       .resident = t.resident,
       .waves = t.waves,
       .occupancy = t.occupancy.occupancy,
       .instructions = std::round(t.counts.instructions),
       .per_cycle = t.counts.instructions / (t.cycles * std::min(sms, t.blocks)),
       .l2_read = or_none(t.l2_read),
       .dram_read = or_none(t.dram_read),
       .dram_written = or_none(t.dram_written),
       .dram_rate = or_none(t.dram_read + t.dram_written) / t.time,
       .cache = l2_at_start(caches, t),
       .timed = std::string(names(timed)[static_cast<std::size_t>(timed)]),
       .code = code.capability > 0 ? fmt::format("sm_{}", code.capability) : "not said",
       .dependences = t.by_registers ? "registers" : "control fields of the code",
       .assumes = assumptions(t.middle),
       .leaves_arrays = t.middle.outside > 0,
       .assumes_data =
           t.middle.assumed + t.middle.indexed + t.middle.looked_up + t.middle.guarded_accesses > 0,
       .goes_by_contents = t.middle.from_memory + t.middle.drawn > 0}};
  std::get<1>(tables) = accesses_of(t);
  Unexplained<T> beside(trace); // roofs are no constants that the time rests on
  std::get<std::vector<KernelRoof>>(tables) = roofs_of(gpu, code, t, beside.plain);
  if (shows(in, KernelView::stalls)) std::get<2>(tables) = stalls_of(t);
  if (shows(in, KernelView::pipes)) std::get<3>(tables) = pipes_of(t);
  if (shows(in, KernelView::code)) {
    CodeRows counted;
    add_code(counted, "", ptx_of(in.listing.listing, code), code, t);
    std::get<std::vector<CodeCount>>(tables) = std::move(counted.counts);
    std::get<std::vector<CodeGroup>>(tables) = std::move(counted.groups);
    for (std::size_t i = 0; i < code.instructions.size(); ++i)
      if (t.executed[i] > 0)
        std::get<4>(tables).push_back({fmt::format("{}", code.instructions[i].line),
                                       code.instructions[i].text, static_cast<Count>(t.executed[i])});
  }
  if (shows(in, KernelView::timeline)) {
    TimelineRows watched;
    add_timeline(watched, "", t);
    std::get<std::vector<TimelineStrip>>(tables) = std::move(watched.strips);
    std::get<std::vector<TimelineState>>(tables) = std::move(watched.states);
    std::get<std::vector<TimelineSlice>>(tables) = std::move(watched.slices);
  }
  for (const KernelTime::Instead& one : t.instead)
    std::get<5>(tables).push_back(
        {std::string(names(one.what)[static_cast<std::size_t>(one.what)]), one.time, t.time / one.time});
  return tables;
}

template KernelModel::Tables launch_tables(const Gpu&, const KernelModel::Input&,
                                           const std::shared_ptr<const KernelCode>&, const KernelLaunch&,
                                           Caches, Plain&);
template KernelModel::Tables launch_tables(const Gpu&, const KernelModel::Input&,
                                           const std::shared_ptr<const KernelCode>&, const KernelLaunch&,
                                           Caches, Recorder&);

} // namespace perfmodel
