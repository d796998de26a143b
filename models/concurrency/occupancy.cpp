#include "occupancy.hpp"

#include "models/concurrency/sm_resources.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

// "16x16" is 256 threads, "8x8x4" too.
Count threads_of(const std::string& shape) {
  Count threads = 1;
  int sides = 0;
  for (std::size_t at = 0; at <= shape.size() && sides < 4; ++sides) {
    const std::size_t end = std::min(shape.find('x', at), shape.size());
    const std::string side = shape.substr(at, end - at);
    const bool count = !side.empty() && side.size() <= 6 &&
                       std::all_of(side.begin(), side.end(), [](char c) { return c >= '0' && c <= '9'; });
    const Count length = count ? std::stod(side) : 0;
    if (length < 1) sides = 4;
    // On every compute capability (programming guide, technical specifications); x and y are as long as a
    // block.
    if (sides == 2 && length > 64)
      throw InputError(fmt::format("--block {}: the third side of a block is at most 64", shape));
    threads *= length;
    at = end + 1;
  }
  if (sides > 3)
    throw InputError(fmt::format("--block: '{}' is no shape of one to three whole numbers, such as 16x16",
                                 shape.substr(0, 40)));
  return threads;
}

// cc 1.x: registers lie in banks, and the compiler avoids conflicts where the threads of a block are a
// multiple of 64 (NVIDIA, CUDA C Programming Guide, "Registers"; Filipovic 2010). What a conflict costs
// nobody published.
void say_register_banks(const Gpu& gpu, std::vector<OccupancyModel::Resident>& rows) {
  const auto threads = gpu.find(facts::register_bank_threads);
  if (!threads) return;
  for (OccupancyModel::Resident& r : rows)
    r.register_banks = std::fmod(r.threads, threads->value) == 0
                           ? "no conflicts"
                           : fmt::format("may conflict: no multiple of {:.0f}", threads->value);
}

OccupancyModel::Resident row(const Launch& launch, const Occupancy& o, bool in_detail) {
  const auto finite = [&](Limiter limit) { return std::isinf(o.allows(limit)) ? absent : o.allows(limit); };
  const bool in_use = launch.shared_per_block > Bytes(0);
  return {.threads = launch.threads_per_block,
          .blocks = o.blocks,
          .warps = o.warps,
          .resident = o.threads,
          .occupancy = o.occupancy,
          .limiter = o.binding(),
          .by_blocks =
              in_detail ? o.allows(Limiter::blocks) : absent, // the same on every step of a staircase
          .by_warps = o.allows(Limiter::warps),
          .by_registers = finite(Limiter::registers),
          .by_shared = in_detail || in_use ? finite(Limiter::shared) : absent,
          .by_barriers = in_detail || launch.barriers_per_block > 1 ? finite(Limiter::barriers) : absent,
          .by_virtual = finite(Limiter::virtual_resources),
          .shared_allocated = in_use ? o.shared_allocated : Bytes(absent),
          .shared_of_sm = in_use ? o.shared_of_sm : Bytes(absent)};
}

// One row for each number of blocks: a register more would lower it.
std::vector<OccupancyModel::Registers> most_registers(const SmResources<Plain>& sm, Launch launch) {
  std::vector<OccupancyModel::Registers> rows;
  for (Count r = 1; r <= sm.registers.per_thread; ++r) {
    launch.registers_per_thread = r;
    const Occupancy o = occupancy(sm, launch);
    if (o.blocks == 0) break;
    if (rows.empty() || o.blocks < rows.back().blocks)
      rows.push_back({launch.threads_per_block, o.blocks, o.warps, o.occupancy, r});
    rows.back().most = r;
  }
  return rows;
}

std::optional<Count> threads_of(const OccupancyModel::Input& in) {
  if (in.threads && in.block) throw InputError("give --threads or --block, not both");
  return in.block ? std::optional(threads_of(*in.block)) : in.threads;
}

Launch launch_of(const OccupancyModel::Input& in) {
  return {.registers_per_thread = in.registers.value_or(0),
          .shared_per_block = in.shared,
          .barriers_per_block = in.barriers,
          .virtual_resources_per_block = in.virtual_resources,
          .carveout = in.carveout,
          .caching = in.caching};
}

// Of the block that was given, or of the one that stands for all in the steps and in the second table.
Launch shown_launch(const SmResources<Plain>& sm, const OccupancyModel::Input& in,
                    std::optional<Count> threads) {
  Launch launch = launch_of(in);
  if (threads)
    launch.threads_per_block = *threads;
  else
    while (launch.threads_per_block > 32 && !can_launch(sm, launch)) launch.threads_per_block /= 2;
  return launch;
}

// One for the block that was given, else one for each whole number of warps.
std::vector<OccupancyModel::Resident> rows_of(const SmResources<Plain>& sm, Launch launch,
                                              std::optional<Count> threads) {
  if (threads) {
    launch.threads_per_block = *threads;
    return {row(launch, occupancy(sm, launch), true)};
  }
  std::vector<OccupancyModel::Resident> rows;
  while ((launch.threads_per_block = sm.warps.warp_size * (1.0 + static_cast<double>(rows.size()))) <=
         sm.warps.threads_per_block)
    rows.push_back(row(launch, occupancy(sm, launch), false));
  return rows;
}

} // namespace

template <class T> OccupancyModel::Tables OccupancyModel::predict(const Gpu& gpu, const Input& in, T& trace) {
  const std::optional<Count> threads = threads_of(in);
  const SmResources<Plain> sm = sm_resources(gpu);
  const Launch launch = shown_launch(sm, in, threads);
  if (!threads)
    trace.say("shown", "", fmt::format("the steps for a block of {} threads", launch.threads_per_block));
  explained_occupancy(gpu, launch, trace); // says why, when it cannot launch
  std::vector<Resident> rows = rows_of(sm, launch, threads);
  say_register_banks(gpu, rows);
  const bool open = launch.registers_per_thread == 0;
  return {std::move(rows), open ? most_registers(sm, launch) : std::vector<Registers>{}};
}

std::optional<OccupancyModel::Tables> OccupancyModel::refused(const Gpu& gpu, const Input& in) {
  const std::optional<Count> threads = threads_of(in);
  const SmResources<Plain> sm = sm_resources(gpu);
  const Launch launch = shown_launch(sm, in, threads);
  if (can_launch(sm, launch)) return std::nullopt;
  return Tables{rows_of(sm, launch, threads), {}};
}

namespace {
bool has_less(const OccupancyModel::Resident& a, const OccupancyModel::Resident& b) {
  return a.occupancy < b.occupancy;
}
} // namespace

const void* OccupancyModel::said(const Input&, const Tables& rows) {
  const std::vector<Resident>& blocks = std::get<0>(rows);
  return blocks.empty() ? nullptr : &std::max_element(blocks.begin(), blocks.end(), has_less)->occupancy;
}

std::string OccupancyModel::verdict(const Gpu&, const Input&, const Tables& rows) {
  const std::vector<Resident>& blocks = std::get<0>(rows);
  if (blocks.empty()) return "";
  const auto limit = [](const Resident& r) {
    return r.limiter.empty() ? std::string() : fmt::format(", limited by {}", r.limiter);
  };
  if (blocks.size() == 1) {
    const Resident& r = blocks.front();
    return fmt::format("An SM holds {} of {} at a time: {} occupancy{}.", in_words(r.blocks, "blocks"),
                       in_words(r.threads, "threads"), in_percent(r.occupancy), limit(r));
  }
  const Resident& best = *std::max_element(blocks.begin(), blocks.end(), has_less);
  const Resident& worst = *std::min_element(blocks.begin(), blocks.end(), has_less);
  std::string text =
      fmt::format("Occupancy reaches {} with blocks of {}, {} to an SM", in_percent(best.occupancy),
                  in_words(best.threads, "threads"), in_words(best.blocks));
  if (worst.occupancy < best.occupancy)
    text += fmt::format("; blocks of {} get {}{}", in_words(worst.threads, "threads"),
                        in_percent(worst.occupancy), limit(worst));
  return text + ".";
}

template OccupancyModel::Tables OccupancyModel::predict(const Gpu&, const Input&, Plain&);
template OccupancyModel::Tables OccupancyModel::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
