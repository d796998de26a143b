// The limits of an SM, one after the other, as cuda_occupancy.h divides them. A template over the trace: with
// Plain the facts are looked up once and a launch costs some divisions; Recorder keeps the steps.
#pragma once

#include "models/concurrency/resident_blocks.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

namespace perfmodel {

template <class T, class Q> using In = std::conditional_t<T::records, Term<Q>, Q>;

inline constexpr Count no_limit = std::numeric_limits<Count>::infinity();

template <class Q> Q in_units(const Q& amount, const Q& unit) { return round_up(amount / unit) * unit; }
template <class Q> Term<Q> in_units(const Term<Q>& amount, const Term<Q>& unit) {
  return round_up(amount / unit) * unit;
}

// What one block takes, as far as several limits need it.
template <class T> struct BlockWarps {
  In<T, Count> warps, allocated; // the second in whole units of allocation (cc 1.x: pairs)
};

template <class T> struct WarpSlots {
  In<T, Count> warp_size, granularity, slots, blocks, threads_per_block;
  Count halves = 1; // parts of the SM of which a block that caches global loads uses one

  static WarpSlots load(const Gpu& gpu, T& trace) {
    WarpSlots s;
    s.warp_size = trace.fact(gpu, facts::warp_size);
    s.granularity = trace.fact(gpu, facts::warp_allocation_granularity);
    s.slots = trace.fact(gpu, facts::max_warps_per_sm);
    s.blocks = trace.fact(gpu, facts::max_blocks_per_sm);
    // A block fits an SM, whatever --set says.
    s.threads_per_block = lesser(trace.fact(gpu, facts::max_threads_per_block), s.slots * s.warp_size);
    if (const auto halves = gpu.find(facts::sm_cache_partitions)) s.halves = halves->value;
    return s;
  }
  BlockWarps<T> of(const In<T, Count>& threads, T& trace) const {
    BlockWarps<T> block;
    block.warps = trace.define("warps_per_block", "warps of a block", round_up(threads / warp_size));
    block.allocated = value_of(granularity) == 1
                          ? block.warps
                          : trace.define("warps_allocated", "warps of a block in whole units of allocation",
                                         in_units(block.warps, granularity));
    return block;
  }
  In<T, Count> allowed(const BlockWarps<T>& block, bool in_halves, T& trace) const {
    const auto parts = trace.number(in_halves ? halves : 1.0);
    const auto in_part = round_down(in_halves ? slots / parts / block.allocated : slots / block.allocated);
    return trace.define("blocks_by_warps", "blocks that the warp slots allow",
                        in_halves ? parts * in_part : in_part);
  }
};

template <class T> struct RegisterFile {
  In<T, Count> registers, per_block, per_thread, unit, unit_wide, sub_partitions;
  std::vector<Count> wide_at;     // registers per thread at which the wide unit holds (cc 2.x)
  Count check_sub_partitions = 0; // a launch must fit an SM of so many, too (GP100: as on the other Pascals)
  bool by_block = false;          // handed out to blocks (cc 1.x), not to warps

  static RegisterFile load(const Gpu& gpu, T& trace) {
    RegisterFile r;
    r.registers = trace.fact(gpu, facts::registers_per_sm);
    r.per_block = trace.fact(gpu, facts::max_registers_per_block);
    r.per_thread = trace.fact(gpu, facts::max_registers_per_thread);
    r.unit = trace.fact(gpu, facts::register_allocation_unit);
    r.by_block = gpu.at(facts::register_allocation_granularity).value == "block";
    r.sub_partitions = r.by_block ? trace.number(1.0) : trace.fact(gpu, facts::sm_sub_partitions);
    if (const auto counts = gpu.find(facts::register_allocation_unit_wide_at)) {
      r.wide_at = counts->value;
      r.unit_wide = trace.fact(gpu, facts::register_allocation_unit_wide);
    }
    if (const auto others = gpu.find(facts::launch_check_sub_partitions))
      r.check_sub_partitions = others->value;
    return r;
  }
  const In<T, Count>& unit_at(Count registers_per_thread) const {
    const bool wide = std::find(wide_at.begin(), wide_at.end(), registers_per_thread) != wide_at.end();
    return wide ? unit_wide : unit;
  }
  // `caching` becomes off where a block fits the SM but no half of it.
  In<T, Count> allowed(Count given, const WarpSlots<T>& warps, const BlockWarps<T>& block,
                       PartitionedCaching& caching, T& trace) const {
    const auto count = trace.input("registers", given);
    if (by_block) {
      const auto taken = trace.define("registers_per_block", "registers of a block in whole units",
                                      in_units(block.allocated * warps.warp_size * count, unit_at(given)));
      if (given > value_of(per_thread) || value_of(taken) > value_of(per_block)) return refused(trace);
      return trace.define("blocks_by_registers", "blocks that the registers allow",
                          round_down(registers / taken));
    }
    const auto taken = trace.define("registers_per_warp", "registers of a warp in whole units",
                                    in_units(count * warps.warp_size, unit_at(given)));
    // The launch check of the hardware counts as if every sub-partition got as many warps as the fullest.
    const auto checked = [&](Count partitions) {
      return value_of(taken) * in_units(value_of(block.allocated), partitions) <= value_of(per_block);
    };
    if (given > value_of(per_thread) || !checked(value_of(sub_partitions))) return refused(trace);
    if (check_sub_partitions > 0) {
      const Count elsewhere =
          round_down(value_of(registers) / check_sub_partitions / value_of(taken)) * check_sub_partitions;
      if (!checked(check_sub_partitions) || elsewhere < value_of(block.allocated)) return refused(trace);
    }
    const auto in_sub_partition =
        trace.define("warps_by_registers", "warps that the registers of a sub-partition allow",
                     round_down(registers / sub_partitions / taken));
    if (caching != PartitionedCaching::off) {
      const auto halves = trace.number(warps.halves);
      const auto blocks = round_down(sub_partitions / halves * in_sub_partition / block.allocated) * halves;
      if (value_of(blocks) > 0 || caching == PartitionedCaching::strict)
        return trace.define("blocks_by_registers", "blocks that the registers allow", blocks);
      caching = PartitionedCaching::off;
    }
    return trace.define("blocks_by_registers", "blocks that the registers allow",
                        round_down(in_sub_partition * sub_partitions / block.allocated));
  }

private:
  static In<T, Count> refused(T& trace) {
    return trace.define("blocks_by_registers", "blocks that the registers allow: the block cannot launch",
                        trace.number(0.0));
  }
};

template <class T> struct SharedMemory {
  In<T, Bytes> per_sm, per_block, unit, reserved;
  std::vector<Bytes> carveouts; // rising
  bool largest_when_short = false;

  static SharedMemory load(const Gpu& gpu, T& trace) {
    SharedMemory s;
    s.per_sm = trace.fact(gpu, facts::shared_per_sm);
    s.per_block = trace.fact(gpu, facts::shared_per_block_optin);
    s.unit = trace.fact(gpu, facts::shared_allocation_unit);
    s.reserved = trace.fact(gpu, facts::shared_reserved);
    s.carveouts = gpu.at(facts::shared_carveouts).value;
    const auto short_of = gpu.find(facts::shared_carveout_when_short);
    s.largest_when_short = short_of && short_of->value == "largest";
    return s;
  }
  In<T, Bytes> allocated(Bytes given, T& trace) const {
    return trace.define("shared_allocated", "shared memory of a block in whole units, with the system's",
                        in_units(trace.input("shared", given) + reserved, unit));
  }
  // A block may have `per_block` for itself; the system's part comes on top where the SM has room for it.
  bool fits(Bytes taken) const {
    return taken <= lesser(value_of(per_block) + value_of(reserved), value_of(per_sm));
  }

  // The smallest there is that is no less; absent when there is none.
  std::optional<Bytes> carveout_from(Bytes least) const {
    const auto at = std::find_if(carveouts.begin(), carveouts.end(), [&](Bytes b) { return b >= least; });
    return at == carveouts.end() ? std::nullopt : std::optional(*at);
  }
  // The shared memory that the SM runs with: as preferred, or more where a block needs more.
  In<T, Bytes> of_sm(Bytes taken, std::optional<Bytes> preferred, T& trace) const {
    Bytes chosen = value_of(per_sm);
    if (preferred) chosen = carveout_from(*preferred).value_or(chosen);
    if (chosen < taken)
      chosen = largest_when_short ? value_of(per_sm) : carveout_from(taken).value_or(chosen);
    return chosen == value_of(per_sm)
               ? per_sm
               : trace.define("carveout", "shared memory that the SM runs with", trace.number(chosen));
  }
};

template <class T> struct SmResources {
  WarpSlots<T> warps;
  RegisterFile<T> registers;
  SharedMemory<T> shared;
  std::optional<In<T, Count>> barriers, virtual_resources;

  // All of it, or what one launch rests on.
  static SmResources load(const Gpu& gpu, T& trace, const Launch* only = nullptr) {
    SmResources sm;
    sm.warps = WarpSlots<T>::load(gpu, trace);
    if (only == nullptr || only->registers_per_thread > 0) sm.registers = RegisterFile<T>::load(gpu, trace);
    sm.shared = SharedMemory<T>::load(gpu, trace);
    const auto wanted = [&](Count given) { return only == nullptr || given > 0; };
    if (gpu.record(facts::barriers_per_sm) != nullptr && wanted(only ? only->barriers_per_block : 0))
      sm.barriers = trace.fact(gpu, facts::barriers_per_sm);
    if (gpu.record(facts::virtual_resources_per_sm) != nullptr &&
        wanted(only ? only->virtual_resources_per_block : 0))
      sm.virtual_resources = trace.fact(gpu, facts::virtual_resources_per_sm);
    return sm;
  }
};

} // namespace perfmodel
