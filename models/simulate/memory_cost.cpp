#include "memory_cost.hpp"

#include "atomic_cost.hpp"
#include "warp_code.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace perfmodel {

namespace {

WarpStep step_of(const WarpCode& made) { return made.steps().front(); }

// Of one warp only turns for words that meet in banks stand apart, not those that its lanes need in any case.
WarpStep with_turns(WarpStep step, const TracedStep& t) {
  if (t.wavefronts <= t.least_wavefronts) step.path = 0;
  return step;
}

// An atomic operation is a load that takes longer.
WarpStep shared_load(const KernelCosts& c, const Instruction& i, const TracedStep& t, double registers) {
  WarpStep step =
      with_turns(step_of(WarpCode(c.sm).shared_load(t.wavefronts, WarpWait::nothing, registers)), t);
  const bool swaps = i.has(mod("CAS")) || i.has(mod("CAST"));
  if (t.atomic) step.latency += swaps ? c.shared_swap : c.shared_atomic;
  if (t.atomic && swaps) step.uses[1].cycles = std::max(step.uses[1].cycles, t.wavefronts * c.swap_interval);
  return step;
}

// Of L2, for a store: it looks for each line that is not stored as a whole, and puts sectors that are stored
// in part together with what it has.
double stored_bytes(const KernelCosts& c, const TracedStep& t) {
  constexpr double of_sector = 32;
  const double whole = t.sectors - t.partial;
  if (t.partial > 0)
    return whole * of_sector + t.lines * c.bytes_per_line_in_part + t.partial * c.bytes_per_sector_in_part;
  return whole * of_sector + (t.sectors < 4 * t.lines ? t.lines * c.bytes_per_line : 0);
}

// An SM alone sends a line after the other beside its loads; sectors of lines in part take turns with them.
WarpStep with_path(const KernelCosts& c, const TracedStep& t, WarpStep step) {
  if (t.sectors >= 4 * t.lines)
    step.uses[2].cycles = std::max(step.uses[2].cycles, t.lines * c.line_store);
  else if (t.continued) // what follows fills its lines
    step.uses[1].cycles = std::max(step.uses[1].cycles, t.lines * c.line_store);
  else
    step.uses[1].cycles = std::max(step.uses[1].cycles, t.sectors * c.sector_store);
  step.lines = t.lines;
  step.opened_back = t.opened_back;
  return step;
}

// L1 keeps what is stored to local memory, and each store goes on to L2; before compute capability 7.0 only
// what L1 has no room for does.
WarpStep local_store(const KernelCosts& c, const TracedStep& t, const MemoryShares& shares,
                     double registers) {
  constexpr double of_sector = 32;
  const double evicted = of_sector * t.changed * shares.written_back;
  const double sent = !c.local_goes_on ? evicted : t.continued ? of_sector * t.sectors : stored_bytes(c, t);
  if (sent == 0) {
    WarpStep step = step_of(WarpCode(c.sm).shared_load(t.wavefronts, WarpWait::nothing, registers));
    step.cached = true;
    return step;
  }
  const WarpStep step =
      step_of(WarpCode(c.sm).store({.wavefronts = static_cast<double>(t.wavefronts),
                                    .l2_bytes = sent,
                                    .dram_bytes = evicted * shares.missing.back() * shares.store_bytes.back(),
                                    .registers = registers},
                                   WarpWait::nothing));
  return with_path(c, t, step);
}

WarpStep global_cost(const KernelCosts& c, const Instruction& i, const TracedStep& t,
                     const MemoryShares& shares, bool far, double registers) {
  WarpCode code(c.sm);
  constexpr double sector_bytes = 32, parts_of_wavefront = 64;
  const double asked = sector_bytes * t.sectors;
  const bool whole = t.sectors >= 4 * t.lines; // more where they come twice
  // L1 fills a register of all lanes in a turn, with the same words, too: on an H200 loads of 64 and 128 bits
  // took 2.0 and 4.0 cycles of an SM whatever their lanes shared (29 November 2026).
  const bool fills = t.loads && !t.atomic && i.opcode != "LDGSTS";
  const double met = t.wavefronts + t.meeting / parts_of_wavefront;
  const double wavefronts = fills ? std::max(met, registers) : met;
  Traffic traffic{.wavefronts = wavefronts, .l2_bytes = asked, .dram_bytes = 0, .registers = registers};
  if (!whole && (t.loads || t.atomic)) traffic.l2_bytes = std::max(asked, t.lines * c.bytes_per_gather);
  const bool beside = t.lines_between > 0 && t.lines_between <= c.sm.machine.open_lines;
  // What follows fills the lines of those that are continued.
  if (t.stores && !t.atomic && !t.continued) traffic.l2_bytes = stored_bytes(c, t);
  const std::size_t slot = slot_of(t, shares);
  const double busy = asked * (t.stores ? shares.store_bytes[slot] : shares.load_bytes[slot]);
  // A line that several stores fill is written once.
  if (far || (t.stores && t.opened_back == 0 && shares.writes)) traffic.dram_bytes = busy;
  if (beside) traffic.l2_bytes = 0; // they go with those that others store
  if (t.atomic)
    return atomic_cost(c, i, t,
                       {.l2_bytes = traffic.l2_bytes,
                        .read_bytes = far ? asked * shares.load_bytes[slot] : 0,
                        .written_bytes = shares.writes ? asked * shares.store_bytes[slot] : 0,
                        .lines = shares.added_lines[slot],
                        .words = shares.added_words[slot]});
  if (t.stores) {
    const WarpStep step = step_of(code.store(traffic, WarpWait::nothing));
    return beside ? step : with_path(c, t, step);
  }
  if (t.sectors == 0) { // all of it is in L1
    WarpStep hit = with_turns(step_of(code.shared_load(wavefronts, WarpWait::nothing, registers)), t);
    // What another block asks for at about the same time is still on its way.
    hit.latency = t.awaited ? c.sm.l2_latency : c.l1_latency;
    hit.cached = true;
    hit.issue = c.sm.queued_global;
    return hit;
  }
  WarpStep step = step_of(code.load(traffic, WarpWait::nothing));
  step.uses[3].in_turn = !t.apart && !t.in_loop;
  // What several SMs ask for at about the same time is sent once; each line of theirs is looked for.
  if (const double together = shares.together[slot]; together > 1)
    step.uses[2].cycles =
        std::max(asked * std::max(c.sm.l2_cycles / together, c.l2_together),
                 whole ? 0 : t.lines * c.bytes_per_gather * c.sm.l2_cycles / shares.gathered[slot]);
  // A line after the other is looked for, and 128 bytes after the other come: into L1's banks, and out of
  // them; into shared memory's alone where they are copied.
  constexpr double of_line = 128;
  const bool copied = i.opcode == "LDGSTS";
  const double looked_for = step.uses[1].cycles, in_and_out = copied ? 0 : c.sm.fill_cycles;
  step.uses[1].cycles = std::max(looked_for, asked * (c.sm.wavefront / of_line + in_and_out));
  if (c.request_cycles > 0) { // requests of SMs that are served together are one
    const double turns = std::min(t.lines * c.request_cycles, step.uses[2].cycles);
    step.uses[step.used++] = {c.sm.stores_to_l2, turns, false};
  }
  if (far) { // a load waits for the slowest of its places, a block for the slowest of its loads
    step.latency += c.dram_tail * (slowest_of(whole ? 1 : t.lines) - 1);
    step.tail = std::min(c.dram_tail, step.latency);
    step.latency -= step.tail;
    constexpr double most = 32; // warps of a block
    step.in_row = t.in_row;
    if (!t.apart) step.alike = static_cast<std::uint8_t>(std::clamp(row_bytes / asked, 1.0, most));
  }
  // The farthest of its lines counts. Device memory's data come by the half that the line belongs to.
  const double one_far = far ? 0.5 : shares.far[slot];
  step.far = 1 - std::pow(1 - one_far, t.lines);
  return step;
}

} // namespace

std::size_t slot_of(const TracedStep& t, const MemoryShares& shares) {
  return t.allocation < 0 ? shares.missing.size() - 1 : static_cast<std::size_t>(t.allocation);
}

WarpStep memory_cost(const KernelCosts& c, const Instruction& i, const TracedStep& t,
                     const MemoryShares& shares, bool far) {
  WarpCode code(c.sm);
  if (t.idle) return step_of(code.predicated_off(1, WarpWait::nothing));
  const double registers = i.has(mod("128")) ? 4 : i.has(mod("64")) ? 2 : 1;
  switch (t.space) {
  case Space::shared:
    if (t.stores && !t.loads)
      return with_turns(step_of(code.shared_store(t.wavefronts, WarpWait::nothing, registers)), t);
    return shared_load(c, i, t, registers);
  case Space::constant: { // the cache of an SM hands over one address after the other
    const double words = std::max<double>(1, t.words);
    WarpStep step;
    step.latency = c.sm.constant_latency + (words - 1) * c.constant_latency_per_word;
    step.uses[step.used++] = {c.constants, words * c.constant_per_word, false};
    step.queued = true;
    return step;
  }
  case Space::local: {
    if (t.loads && t.sectors > 0) return global_cost(c, i, t, shares, far, registers);
    if (t.stores) return local_store(c, t, shares, registers);
    WarpStep step = step_of(code.shared_load(t.wavefronts, WarpWait::nothing, registers));
    step.latency = c.l1_latency;
    step.cached = true;
    return step;
  }
  default:
    return global_cost(c, i, t, shares, far, registers);
  }
}

} // namespace perfmodel
