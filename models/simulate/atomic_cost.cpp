#include "atomic_cost.hpp"

#include "added_words.hpp"
#include "warp_code.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace perfmodel {

namespace {

// Doubles that share sectors, and pairs of halves, take L2 longer than other words, and so does a comparison,
// which sends two.
const KernelCosts::OfL2& cost_of_sectors(const KernelCosts& c, const Instruction& i, const TracedStep& t) {
  constexpr std::uint16_t sectors_of_doubles = 16; // at most, of 32 lanes two or more of which share each
  if (i.has(mod("CAS"))) return c.swap;
  return adds_halves(i) || (i.has(mod("F64")) && t.sectors <= sectors_of_doubles) ? c.double_atomic
                                                                                  : c.atomic;
}

// L2 adds floating-point numbers to a word more slowly than integers.
double counter_cycles(const KernelCosts& c, const Instruction& i) {
  const bool is_float =
      i.has(mod("F32")) || i.has(mod("F32x2")) || i.has(mod("F32x4")) || i.has(mod("F64")) || adds_halves(i);
  return is_float ? std::max(c.sm.counter_cycles, c.float_counter) : c.sm.counter_cycles;
}

// Cycles of a sector where so many lines are all that is changed. A slice of L2 holds four lines side by
// side; other words do not wait for it. As addresses are hashed to slices, some have more of the lines than
// others, by a standard deviation, and the rest waits for those.
double cost_of_slices(const KernelCosts::OfL2& cost, double lines) {
  constexpr double slices_of_kib = 2;
  const double of_one = slices_of_kib * cost.kib, slices = std::max(1.0, of_one / cost.all),
               groups = std::max(1.0, lines / double{lines_of_slice}), mean = groups / slices;
  const double most = std::clamp(mean + std::sqrt(mean * (1 - 1 / slices)), 1.0, groups);
  return of_one * most / groups;
}

} // namespace

bool adds_halves(const Instruction& i) {
  return i.has(mod("F16x2")) || i.has(mod("F16x4")) || i.has(mod("F16x8")) || i.has(mod("BF16x2")) ||
         i.has(mod("BF16x4")) || i.has(mod("BF16x8")) || i.has(mod("BF16_V2"));
}

WarpStep atomic_cost(const KernelCosts& c, const Instruction& i, const TracedStep& t,
                     const AtomicTraffic& traffic) {
  WarpCode code(c.sm);
  WarpStep step = code.count_up().steps().front();
  // Lanes of one word are added one after the other, as those of other sectors are. The turns of a sector
  // that several words share take longer than as many of different sectors.
  const double turns = std::max({t.turns, t.words, t.sectors}), lines = std::max(1.0, traffic.lines);
  // Lanes that add to one word, the busiest.
  const double of_word = traffic.words > 0 ? t.added / std::max(1.0, traffic.words) : t.words / lines;
  step.uses[1].cycles = std::max(step.uses[1].cycles, turns * c.sm_atomic);
  const KernelCosts::OfL2& cost = cost_of_sectors(c, i, t);
  const double of_all = t.loads ? std::max(cost.all, c.result_atomic) : cost.all;
  const bool one_sector = t.sectors == 1 && t.turns > 1 && !t.one_word;
  step.uses[2].cycles = std::max(traffic.l2_bytes * c.sm.l2_cycles,
                                 turns * (one_sector ? std::max(of_all, c.sector_atomic) : of_all));
  step.uses[3].cycles = std::max(turns * cost_of_slices(cost, lines), of_word * counter_cycles(c, i));
  // Those that meet in few words stay in L2: no more than one of the two is busy for long.
  const double memory = traffic.read_bytes * c.sm.read_cycles + traffic.written_bytes * c.sm.write_cycles;
  if (memory > step.uses[3].cycles) step.uses[3] = {c.sm.dram, memory, true};
  if (traffic.read_bytes > 0) step.latency = std::max(step.latency, c.sm.dram_latency);
  if (!t.loads) step.load = false, step.store = true, step.latency = c.sm.drain;
  return step;
}

} // namespace perfmodel
