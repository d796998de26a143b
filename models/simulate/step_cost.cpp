#include "step_cost.hpp"

#include "models/kernel/register_use.hpp"
#include "opcode_class.hpp"
#include "register_banks.hpp"
#include "warp_code.hpp"

#include "models/concurrency/instruction_class.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

constexpr double sector = 32;
constexpr std::uint16_t counters = 6;

// A matrix instruction's flops, by its shape: HMMA.16816 multiplies 16 x 16 by 16 x 8.
double tensor_flops(const Instruction& i) {
  const struct {
    std::size_t modifier;
    double m, n, k;
  } shapes[] = {{mod("16816"), 16, 8, 16},
                {mod("1688"), 16, 8, 8},
                {mod("884"), 8, 8, 4},
                {mod("16832"), 16, 8, 32},
                {mod("88"), 8, 8, 4}};
  for (const auto& shape : shapes)
    if (i.has(shape.modifier)) return 2 * shape.m * shape.n * shape.k;
  return 2.0 * 16 * 8 * 16;
}

std::size_t slot_of(const TracedStep& t, const MemoryShares& shares) {
  return t.allocation < 0 ? shares.missing.size() - 1 : static_cast<std::size_t>(t.allocation);
}

class StepCosts {
public:
  StepCosts(const KernelCosts& costs, const KernelCode& code, const MemoryShares& shares, bool by_registers)
      : c_(costs), code_(code), shares_(shares), by_registers_(by_registers),
        bank_reads_(bank_reads(code, costs.register_banks)) {
    for (const Instruction& i : code.instructions) classes_.push_back(class_of(i));
  }

  WarpStep of(const TracedStep& t, bool far) const {
    const Instruction& i = code_.instructions[t.instruction];
    const std::string_view name = classes_[t.instruction];
    if (name.empty() && !t.idle)
      throw InputError(fmt::format("line {}: {}: no cost of {} is known (hwdb/opcodes)", i.line,
                                   quoted(i.text), i.opcode));
    WarpStep step = name == "barrier" ? barrier() : name == "memory" ? memory(t, far) : arithmetic(i, name);
    step.wait = WarpWait::nothing;
    step.blames = blame(t, name);
    groups(i, step);
    dependences(i, t, step);
    if (i.opcode == "NANOSLEEP" && !t.idle) step.stall = std::max(step.stall, sleep_of(i));
    if (name == "branch" && t.taken) {
      step.stall = std::max(step.stall, c_.sm.loop_latency + c_.sm.machine.reissue_gap);
      step.branches = true;
    }
    return step;
  }

private:
  // NANOSLEEP 0x1c2: cycles of so many nanoseconds, of which PTX promises no more than twice as many (PTX
  // ISA, nanosleep). By a register it is not known how many.
  double sleep_of(const Instruction& i) const {
    for (const CodeOperand& o : i.operands)
      if (o.kind == OperandKind::integer) return 1e-9 * static_cast<double>(o.value) * c_.sm.clock.value;
    return 0;
  }

  static WarpStep barrier() {
    WarpStep step;
    step.barrier = true;
    return step;
  }

  WarpStep one(const WarpCode& made) const { return made.steps().front(); }

  WarpStep arithmetic(const Instruction& i, std::string_view name) const {
    if (name == "special" || name == "uniform_load") { // as long as a constant
      WarpStep step;
      step.latency = c_.sm.constant_latency;
      if (name == "special" && c_.special_interval > 0) {
        step.uses[step.used++] = {c_.special_registers, c_.special_interval, false};
        step.queued = true;
      }
      return step;
    }
    if (name == "tensor") {
      if (!(c_.tensor_flops > 0))
        throw InputError(fmt::format("line {}: {}: this GPU has no tensor units, or their rate is not known",
                                     i.line, quoted(i.text)));
      if (i.columns > 0) return product_of_four_warps(i);
      WarpStep step;
      const double cycles = tensor_flops(i) / flops_of_warp(i), of_16816 = 2.0 * 16 * 8 * 16 / c_.mma_fp16;
      // The unit has it for as long as it works on it, and hands it over later.
      step.latency = std::max(0.0, c_.mma_latency - of_16816) + cycles;
      step.uses[step.used++] = {c_.tensor, cycles, false};
      return step;
    }
    const auto at = c_.sm.instructions.find(name);
    if (at == c_.sm.instructions.end()) return {}; // an issue slot
    WarpStep step = one(WarpCode(c_.sm).run(name, 1, WarpWait::nothing));
    step.reads = bank_reads_[static_cast<std::size_t>(&i - code_.instructions.data())];
    step.wide = i.opcode.size() == 4 && i.opcode[0] == 'D'; // DADD, DMUL, DFMA
    return step;
  }

  // Of a scheduler's tensor unit in a cycle, for products of single warps.
  double flops_of_warp(const Instruction& i) const {
    const double flops = i.opcode == "DMMA"   ? c_.mma_fp64
                         : i.opcode == "IMMA" ? c_.mma_int8
                         : i.has(mod("TF32")) ? c_.mma_tf32
                                              : c_.mma_fp16;
    if (!(flops > 0))
      throw InputError(fmt::format("line {}: {}: the rate of this GPU's tensor units for it is not known",
                                   i.line, quoted(i.text)));
    return flops;
  }

  // A warp's quarter. Whatever the numbers, their terms are 32 bytes of a row and of a column: of halves 16,
  // whose rate is known. The columns come from shared memory, and the rows where no register has them.
  WarpStep product_of_four_warps(const Instruction& i) const {
    constexpr double rows = 64, warps = 4, terms = 16, bytes_of_term = 2, of_wavefront = 128;
    WarpStep step;
    const double cycles = 2 * rows * i.columns * terms / warps / c_.tensor_flops;
    const bool rows_there = i.operands.size() > 1 && i.operands[1].kind == OperandKind::reg;
    const double fetched = ((rows_there ? 0 : rows) + i.columns) * terms * bytes_of_term / warps;
    step.uses[step.used++] = {c_.tensor, cycles, false};
    step.uses[step.used++] = {c_.sm.lsu, fetched / of_wavefront * c_.sm.wavefront, false};
    step.latency = 16;
    step.queued = true;
    return step;
  }

  WarpStep memory(const TracedStep& t, bool far) const {
    WarpCode code(c_.sm);
    const Instruction& i = code_.instructions[t.instruction];
    if (t.idle) return one(code.predicated_off(1, WarpWait::nothing));
    const double registers = i.has(mod("128")) ? 4 : i.has(mod("64")) ? 2 : 1;
    switch (t.space) {
    case Space::shared:
      if (t.stores && !t.loads) return one(code.shared_store(t.wavefronts, WarpWait::nothing, registers));
      return one(code.shared_load(t.wavefronts, WarpWait::nothing, registers));
    case Space::constant: { // the cache of an SM hands over one address after the other
      const double words = std::max<double>(1, t.words);
      WarpStep step;
      step.latency = c_.sm.constant_latency + std::max(0.0, words - registers) * c_.constant_latency_per_word;
      step.uses[step.used++] = {c_.constants, words * c_.constant_per_word, false};
      step.queued = true;
      return step;
    }
    case Space::local: {
      if (t.loads && t.sectors > 0) return global(t, far, registers);
      WarpStep step = one(code.shared_load(t.wavefronts, WarpWait::nothing, registers));
      if (t.loads) step.latency = c_.l1_latency;
      step.cached = true;
      return step;
    }
    default:
      return global(t, far, registers);
    }
  }

  WarpStep global(const TracedStep& t, bool far, double registers) const {
    WarpCode code(c_.sm);
    const double asked = t.sectors * sector;
    const bool whole = t.sectors == 4 * t.lines;
    Traffic traffic{.wavefronts = static_cast<double>(t.wavefronts),
                    .l2_bytes = asked,
                    .dram_bytes = 0,
                    .registers = registers};
    const double least = t.loads ? c_.bytes_per_gather : c_.bytes_per_scatter;
    if (!whole) traffic.l2_bytes = std::max(asked, std::max<double>(t.lines, t.loads ? 1 : t.lines) * least);
    const std::size_t slot = slot_of(t, shares_);
    const double busy = asked * (t.stores ? shares_.store_bytes[slot] : shares_.load_bytes[slot]);
    // A line that several stores fill is written once.
    if (far || (t.stores && t.opened_back == 0 && shares_.writes)) traffic.dram_bytes = busy;
    if (t.atomic) {
      WarpStep step = one(code.count_up());
      // Lanes of one word are added one after the other, as those of other sectors are.
      const double turns = std::max(t.words, t.sectors), stored = std::max(1.0, shares_.stored_lines[slot]);
      step.uses[1].cycles = std::max(step.uses[1].cycles, turns * c_.sm_atomic);
      const KernelCosts::OfL2& cost = atomic_of(code_.instructions[t.instruction], t);
      const double of_all = t.loads ? std::max(cost.all, c_.result_atomic) : cost.all;
      step.uses[2].cycles = std::max(traffic.l2_bytes * c_.sm.l2_cycles, turns * of_all);
      // One slice of L2 holds four lines side by side; other words do not wait for it.
      constexpr double lines_of_slice = 4, slices_of_kib = 2;
      const double slices = stored / lines_of_slice;
      step.uses[3].cycles = std::max(slices_of_kib * turns * cost.kib / std::max(1.0, slices),
                                     t.words * counter_cycles(code_.instructions[t.instruction]) / stored);
      if (!t.loads) step.load = false, step.store = true, step.latency = c_.sm.drain;
      return step;
    }
    if (t.stores) {
      WarpStep step = one(code.store(traffic, WarpWait::nothing));
      // An SM alone sends a line after the other beside its loads; sectors of lines in part take turns with
      // them.
      if (whole)
        step.uses[2].cycles = std::max(step.uses[2].cycles, t.lines * c_.line_store);
      else if (t.continued) // what follows fills its lines
        step.uses[1].cycles = std::max(step.uses[1].cycles, t.lines * c_.line_store);
      else
        step.uses[1].cycles = std::max(step.uses[1].cycles, t.sectors * c_.sector_store);
      step.lines = t.lines;
      step.opened_back = t.opened_back;
      return step;
    }
    if (t.sectors == 0) { // all of it is in L1
      WarpStep hit = one(code.shared_load(t.wavefronts, WarpWait::nothing, registers));
      // What another block asks for at about the same time is still on its way.
      hit.latency = t.awaited ? c_.sm.l2_latency : c_.l1_latency;
      hit.cached = true;
      return hit;
    }
    WarpStep step = one(code.load(traffic, WarpWait::nothing));
    // What several SMs ask for at about the same time is sent once.
    if (const double together = shares_.together[slot]; together > 1)
      step.uses[2].cycles = traffic.l2_bytes * std::max(c_.sm.l2_cycles / together, c_.l2_together);
    // A line after the other is looked for, and 128 bytes after the other come: into L1's banks, and out of
    // them; into shared memory's alone where they are copied.
    constexpr double of_line = 128;
    const bool copied = code_.instructions[t.instruction].opcode == "LDGSTS";
    const double looked_for = step.uses[1].cycles, in_and_out = copied ? 0 : c_.sm.fill_cycles;
    step.uses[1].cycles = std::max(looked_for, asked * (c_.sm.wavefront / of_line + in_and_out));
    if (far) { // a load waits for the slowest of its places, a block for the slowest of its loads
      step.latency += c_.dram_tail * (slowest_of(whole ? 1 : t.lines) - 1);
      if (t.apart) {
        step.tail = std::min(c_.dram_tail, step.latency);
        step.latency -= step.tail;
      }
    }
    // The farthest of its lines counts. Device memory's data come by the half that the line belongs to.
    const double one_far = far ? 0.5 : shares_.far[slot];
    step.far = 1 - std::pow(1 - one_far, t.lines);
    return step;
  }

  // Doubles that share sectors take L2 longer than other words, and so does a comparison, which sends two.
  const KernelCosts::OfL2& atomic_of(const Instruction& i, const TracedStep& t) const {
    constexpr std::uint16_t sectors_of_doubles = 16; // at most, of 32 lanes two or more of which share each
    if (i.has(mod("CAS"))) return c_.swap;
    return i.has(mod("F64")) && t.sectors <= sectors_of_doubles ? c_.double_atomic : c_.atomic;
  }

  // L2 adds floating-point numbers to a word more slowly than integers.
  double counter_cycles(const Instruction& i) const {
    const bool is_float =
        i.has(mod("F32")) || i.has(mod("F64")) || i.has(mod("F16x2")) || i.has(mod("BF16_V2"));
    return is_float ? std::max(c_.sm.counter_cycles, c_.float_counter) : c_.sm.counter_cycles;
  }

  static void groups(const Instruction& i, WarpStep& step) {
    const auto left = [&] {
      const bool says = !i.operands.empty() && i.operands.back().kind == OperandKind::integer;
      return static_cast<std::uint8_t>(says ? std::clamp<std::int64_t>(i.operands.back().value, 0, 255) : 0);
    };
    if (i.opcode == "LDGSTS") step.group = AsyncGroup::copies;
    if (i.opcode == "LDGDEPBAR") step.group = AsyncGroup::copies, step.ends_group = true;
    if (i.opcode == "DEPBAR" && i.has(mod("LE"))) step.awaits = AsyncGroup::copies, step.groups_left = left();
    if (i.columns > 0) {
      step.group = AsyncGroup::products;
      step.ends_group = !i.operands.empty() && i.operands.back().name.starts_with("gsb");
    }
    if (i.opcode == "WARPGROUP" && i.has(mod("DEPBAR")))
      step.awaits = AsyncGroup::products, step.groups_left = left();
  }

  Stall blame(const TracedStep& t, std::string_view name) const {
    if (t.space == Space::global || t.space == Space::local) return Stall::long_scoreboard;
    if (t.space != Space::none || name == "special" || name == "uniform_load") return Stall::short_scoreboard;
    const auto at = c_.sm.instructions.find(name);
    return at != c_.sm.instructions.end() && at->second.latency > 12 ? Stall::short_scoreboard : Stall::wait;
  }

  void dependences(const Instruction& i, const TracedStep& t, WarpStep& step) const {
    if (by_registers_) {
      step.waits = t.waits;
      step.waits_for = t.waits_for;
      if (t.result != 0xffff) step.result = t.result;
      if (is_predicate(t.result)) // what it guards waits longer than for a register
        step.latency =
            std::max(step.latency, c_.sm.predicate_latency - (step.used > 0 ? step.uses[0].cycles : 0));
      return;
    }
    const Control& control = i.control;
    for (std::uint16_t counter = 0; counter < counters; ++counter)
      if ((control.wait_mask >> counter & 1) != 0) step.waits_for[step.waits++] = counter;
    if (control.write_counter < counters) step.result = control.write_counter;
    if (control.read_counter < counters) step.operands_read = control.read_counter;
    step.stall = control.stall;
  }

  const KernelCosts& c_;
  const KernelCode& code_;
  const MemoryShares& shares_;
  bool by_registers_;
  std::vector<BankReads> bank_reads_;
  std::vector<std::string_view> classes_; // of each instruction
};

} // namespace

TracedBlocks costed(const KernelCosts& costs, const KernelCode& code, const std::vector<TracedStep>& steps,
                    const std::vector<const BlockTrace*>& kinds, const MemoryShares& shares,
                    bool by_registers, double share) {
  const StepCosts prices(costs, code, shares, by_registers);
  TracedBlocks made{.places = by_registers ? register_places : counters};
  for (const TracedStep& step : steps) // each twice: found in L2, and not
    for (const bool far : {false, true}) made.steps.push_back(prices.of(step, far));
  std::vector<double> owed(shares.missing.size());
  for (const BlockTrace* kind : kinds) {
    std::vector<std::size_t>& block = made.blocks.emplace_back();
    for (std::size_t w = 0; w < kind->warps.size(); ++w) {
      std::vector<std::uint32_t> list;
      for (const std::uint32_t number : kind->steps_with(w, share)) {
        const TracedStep& step = steps[number];
        bool far = false;
        if (step.space == Space::global && step.loads && step.sectors > 0 && !step.again) {
          const std::size_t slot = slot_of(step, shares);
          owed[slot] += shares.missing[slot];
          far = owed[slot] >= 0.999;
          if (far) owed[slot] -= 1;
        }
        list.push_back(2 * number + (far ? 1 : 0));
      }
      const auto same = std::find(made.programs.begin(), made.programs.end(), list);
      block.push_back(static_cast<std::size_t>(same - made.programs.begin()));
      if (same == made.programs.end()) made.programs.push_back(std::move(list));
    }
  }
  return made;
}

} // namespace perfmodel
