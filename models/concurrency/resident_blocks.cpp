#include "resident_blocks.hpp"

#include "models/concurrency/sm_resources.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <cmath>

namespace perfmodel {

namespace {

template <class T> Occupancy residency(const SmResources<T>& sm, const Launch& launch, T& trace) {
  Occupancy o;
  o.allowed.fill(no_limit);
  const auto allow = [&](Limiter limit, const auto& blocks) {
    o.allowed[static_cast<std::size_t>(limit)] = value_of(blocks);
    return blocks;
  };
  const auto block = sm.warps.of(trace.input("threads", launch.threads_per_block), trace);
  PartitionedCaching caching = sm.warps.halves > 1 ? launch.caching : PartitionedCaching::off;

  auto blocks = allow(Limiter::blocks, sm.warps.blocks);
  if (launch.registers_per_thread > 0) // first: it may turn the caching off
    blocks = lesser(blocks, allow(Limiter::registers, sm.registers.allowed(launch.registers_per_thread,
                                                                           sm.warps, block, caching, trace)));
  const bool in_halves = caching != PartitionedCaching::off;
  blocks = lesser(blocks, allow(Limiter::warps, sm.warps.allowed(block, in_halves, trace)));
  if (launch.threads_per_block > value_of(sm.warps.threads_per_block))
    o.allowed[static_cast<std::size_t>(Limiter::warps)] = 0;

  const auto taken = sm.shared.allocated(launch.shared_per_block, trace);
  o.shared_allocated = value_of(taken);
  o.shared_of_sm = value_of(sm.shared.per_sm);
  if (!sm.shared.fits(o.shared_allocated)) {
    o.allowed[static_cast<std::size_t>(Limiter::shared)] = 0;
  } else if (o.shared_allocated > Bytes(0)) {
    const auto there = sm.shared.of_sm(o.shared_allocated, launch.carveout, trace);
    o.shared_of_sm = value_of(there);
    blocks = lesser(blocks, allow(Limiter::shared,
                                  trace.define("blocks_by_shared", "blocks that the shared memory allows",
                                               round_down(there / taken))));
  }
  if (sm.barriers && launch.barriers_per_block > 0)
    blocks = lesser(
        blocks,
        allow(Limiter::barriers,
              trace.define("blocks_by_barriers", "blocks that the barriers allow",
                           round_down(*sm.barriers / trace.input("barriers", launch.barriers_per_block)))));
  if (sm.virtual_resources && launch.virtual_resources_per_block > 0)
    blocks = lesser(blocks, allow(Limiter::virtual_resources,
                                  trace.define("blocks_by_virtual", "blocks that the virtual resources allow",
                                               round_down(*sm.virtual_resources /
                                                          trace.input("virtual-resources",
                                                                      launch.virtual_resources_per_block)))));

  o.blocks = *std::min_element(o.allowed.begin(), o.allowed.end());
  o.limiter =
      static_cast<Limiter>(std::find(o.allowed.begin(), o.allowed.end(), o.blocks) - o.allowed.begin());
  o.warps = o.blocks * value_of(block.warps);
  o.threads = o.blocks * launch.threads_per_block;
  o.occupancy = o.warps / value_of(sm.warps.slots);
  if (o.blocks > 0) {
    const auto resident = trace.define("blocks", "resident blocks", blocks);
    trace.define("occupancy", "resident warps over warp slots", resident * block.warps / sm.warps.slots);
    trace.say("limiter", "what limits it", o.binding());
  }
  return o;
}

void check(const Launch& launch) {
  const auto whole = [](const char* what, Count value, Count least) {
    if (!(value >= least && value <= 1e15) || value != std::floor(value))
      throw InputError(fmt::format("{}: {} given, a whole number from {} is expected", what,
                                   format_quantity(value, {}), least));
  };
  whole("threads of a block", launch.threads_per_block, 1);
  whole("registers of a thread", launch.registers_per_thread, 0);
  whole("barriers of a block", launch.barriers_per_block, 0);
  if (launch.barriers_per_block > 16) // PTX: bar.sync 0 to 15, on every compute capability
    throw InputError(
        fmt::format("barriers of a block: {} given, a block has at most 16", launch.barriers_per_block));
  whole("virtual resources of a block", launch.virtual_resources_per_block, 0);
  whole("bytes of shared memory", launch.shared_per_block.value, 0);
  if (launch.carveout) whole("bytes of the carve-out", launch.carveout->value, 0);
}

std::string kib(Bytes bytes) { return format_quantity(bytes.value, unit_of<Bytes>(), Prefix::binary); }
// To the last byte.
std::string exactly(Bytes bytes) {
  return std::fmod(bytes.value, 1024) == 0 ? kib(bytes) : fmt::format("{} B", bytes.value);
}

} // namespace

std::string Occupancy::binding() const {
  std::string text;
  for (std::size_t i = 0; i < limiter_count; ++i)
    if (allowed[i] == blocks) text += (text.empty() ? "" : ", ") + std::string(names(Limiter{})[i]);
  return text;
}

SmResources<Plain> sm_resources(const Gpu& gpu) {
  Plain plain;
  return SmResources<Plain>::load(gpu, plain);
}

Occupancy occupancy(const SmResources<Plain>& sm, const Launch& launch) {
  Plain plain;
  return residency(sm, launch, plain);
}

bool can_launch(const SmResources<Plain>& sm, const Launch& launch) {
  check(launch);
  return launch.threads_per_block <= sm.warps.threads_per_block && occupancy(sm, launch).blocks > 0;
}

std::string refusal(const Gpu& gpu, const Launch& launch) { return refusal(gpu, sm_resources(gpu), launch); }

std::string refusal(const Gpu& gpu, const SmResources<Plain>& sm, const Launch& launch) {
  const auto cannot = [&](const std::string& what, const std::string& why) {
    return fmt::format("{} cannot launch on {}: {}", what, gpu.name, why);
  };
  const Count threads = launch.threads_per_block, registers = launch.registers_per_thread;
  if (threads > sm.warps.threads_per_block)
    return cannot(fmt::format("a block of {} threads", threads),
                  fmt::format("a block has at most {} threads", sm.warps.threads_per_block));
  if (launch.carveout && !sm.shared.carveout_from(*launch.carveout))
    return fmt::format("an SM of {} cannot have a carve-out of {}: it has at most {} of shared memory",
                       gpu.name, kib(*launch.carveout), kib(sm.shared.per_sm));
  const Occupancy o = occupancy(sm, launch);
  if (o.blocks > 0) return "";
  if (registers > sm.registers.per_thread)
    return cannot(fmt::format("a kernel of {} registers per thread", registers),
                  fmt::format("a thread has at most {}", sm.registers.per_thread));
  if (o.allows(Limiter::registers) == 0)
    return cannot(fmt::format("a block of {} threads with {} registers each", threads, registers),
                  fmt::format("a block has at most {} registers, handed out in whole units to whole warps",
                              sm.registers.per_block));
  if (o.allows(Limiter::shared) == 0)
    return cannot(fmt::format("a block with {} of shared memory", exactly(launch.shared_per_block)),
                  sm.shared.fits(o.shared_allocated)
                      ? fmt::format("an SM runs with a carve-out of {} there", kib(o.shared_of_sm))
                      : fmt::format("a block has at most {}{}", kib(sm.shared.per_block),
                                    sm.shared.per_block + sm.shared.reserved > sm.shared.per_sm &&
                                            sm.shared.reserved > Bytes(0)
                                        ? fmt::format(", {} of them the system's", kib(sm.shared.reserved))
                                        : ""));
  if (o.allows(Limiter::barriers) == 0)
    return cannot(fmt::format("a block with {} barriers", launch.barriers_per_block),
                  fmt::format("an SM has {}", *sm.barriers));
  if (o.allows(Limiter::virtual_resources) == 0)
    return cannot(fmt::format("a block with {} virtual resources", launch.virtual_resources_per_block),
                  fmt::format("an SM has {}", *sm.virtual_resources));
  return cannot(fmt::format("a block of {} threads", threads), "an SM has too few warp slots for it");
}

template <class T> Occupancy explained_occupancy(const Gpu& gpu, const Launch& launch, T& trace) {
  check(launch);
  const SmResources<Plain> sm = sm_resources(gpu);
  const std::string reason = refusal(gpu, sm, launch);
  // A carve-out that no SM has is wrong for every block; what else is said is of this one.
  if (!reason.empty() && occupancy(sm, launch).blocks > 0) throw InputError(reason);
  if (!reason.empty()) throw LaunchError(reason);
  return residency(SmResources<T>::load(gpu, trace, &launch), launch, trace);
}

template Occupancy explained_occupancy(const Gpu&, const Launch&, Plain&);
template Occupancy explained_occupancy(const Gpu&, const Launch&, Recorder&);

Occupancy occupancy(const Gpu& gpu, const Launch& launch) {
  Plain plain;
  return explained_occupancy(gpu, launch, plain);
}

} // namespace perfmodel
