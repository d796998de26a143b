#include "kernel_roofs.hpp"

#include "models/core/error.hpp"
#include "models/core/trace.hpp"
#include "models/simulate/kernel_time.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace perfmodel {

namespace {

struct Operations {
  std::string_view opcode;
  Precision precision;
  double each; // of a lane
};
constexpr auto operations = std::to_array<Operations>({{"FADD", Precision::fp32, 1},
                                                       {"FADD32I", Precision::fp32, 1},
                                                       {"FMUL", Precision::fp32, 1},
                                                       {"FMUL32I", Precision::fp32, 1},
                                                       {"FFMA", Precision::fp32, 2},
                                                       {"FFMA32I", Precision::fp32, 2},
                                                       {"DADD", Precision::fp64, 1},
                                                       {"DMUL", Precision::fp64, 1},
                                                       {"DFMA", Precision::fp64, 2},
                                                       {"HADD2", Precision::fp16_vector, 2},
                                                       {"HMUL2", Precision::fp16_vector, 2},
                                                       {"HFMA2", Precision::fp16_vector, 4}});

bool is_zero(const Instruction& i, std::size_t operand) {
  return operand < i.operands.size() && i.operands[operand].kind == OperandKind::reg &&
         i.operands[operand].index == zero_register;
}

// Nothing times nothing plus a constant is a move that goes through another pipe; nothing plus a half is how
// it becomes a float.
bool is_move(const Instruction& i) {
  return (i.opcode == "HFMA2" && is_zero(i, 1) && is_zero(i, 2)) || (i.opcode == "HADD2" && is_zero(i, 1));
}

bool is_tensor(const Instruction& i) { return i.opcode.ends_with("MMA"); }

bool has_units(const Gpu& gpu, Precision precision) {
  try {
    return !units_of(gpu, precision).empty();
  } catch (const InputError&) { // no peak is known
    return false;
  }
}

// Of the launch, by precision; the one with most.
std::optional<std::pair<Precision, double>> most_operations(const KernelCode& code,
                                                            const KernelTime& launch) {
  std::array<double, names(Precision{}).size()> done{};
  double all = 0, executed = 0; // executed: but for exits that warps pass, in which no lane is active
  for (std::size_t i = 0; i < code.instructions.size(); ++i) {
    const auto times = static_cast<double>(launch.executed[i]);
    const Instruction& instruction = code.instructions[i];
    all += times;
    if (instruction.opcode != "EXIT" || instruction.guard.kind == OperandKind::none) executed += times;
    if (times > 0 && is_tensor(instruction)) return std::nullopt;
    const auto at = std::find_if(operations.begin(), operations.end(),
                                 [&](const Operations& o) { return o.opcode == instruction.opcode; });
    if (at != operations.end() && !is_move(instruction))
      done[static_cast<std::size_t>(at->precision)] += times * at->each;
  }
  const auto most = std::max_element(done.begin(), done.end());
  if (!(*most > 0)) return std::nullopt;
  const double instructions = launch.counts.instructions * executed / all;
  const double lanes = std::min(32.0, launch.counts.lanes / instructions);
  return std::pair{static_cast<Precision>(most - done.begin()), *most / executed * instructions * lanes};
}

} // namespace

template <class T>
std::vector<KernelRoof> roofs_of(const Gpu& gpu, const KernelCode& code, const KernelTime& launch, T& trace) {
  const auto most = most_operations(code, launch);
  if (!most) return {};
  if (!has_units(gpu, most->first)) return {};
  const FlopsPerSecond peak = value_of(rate(gpu, *units_of(gpu, most->first).front(), Basis::spec, trace));
  const Flops flops(most->second);
  const auto sectors = [](double count) { return Bytes(32 * count); };
  const TraceCounts& c = launch.counts;
  std::vector<KernelRoof> rows;
  const auto add = [&](Level level, Level slope, Bytes bytes) {
    if (!(bytes > Bytes{0})) return;
    if (!has_bandwidth(gpu, slope, Basis::spec) && !has_bandwidth(gpu, slope, Basis::measured)) return;
    const BytesPerSecond beta = value_of(bandwidth(gpu, slope, Basis::spec, trace));
    KernelRoof row{.level = level, .precision = most->first, .flops = flops, .bytes = bytes};
    row.intensity = flops / bytes;
    row.ridge = peak / beta;
    const bool memory = row.intensity < row.ridge;
    row.roof = memory ? "memory" : "compute";
    row.attainable = memory ? row.intensity * beta : peak;
    row.performance = flops / launch.time;
    row.least_time = flops / row.attainable;
    row.of_roof = row.performance / row.attainable;
    rows.push_back(std::move(row));
  };
  add(Level::dram, Level::dram, launch.dram_read + launch.dram_written);
  add(Level::l2, Level::l2, launch.l2_read + sectors(c.store_sectors));
  // L1 delivers no more than the banks of shared memory, which are its own on most GPUs.
  const bool l1 =
      has_bandwidth(gpu, Level::l1, Basis::spec) || has_bandwidth(gpu, Level::l1, Basis::measured);
  add(Level::l1, l1 ? Level::l1 : Level::shared, sectors(c.load_sectors + c.store_sectors));
  return rows;
}

template std::vector<KernelRoof> roofs_of(const Gpu&, const KernelCode&, const KernelTime&, Plain&);
template std::vector<KernelRoof> roofs_of(const Gpu&, const KernelCode&, const KernelTime&, Recorder&);

} // namespace perfmodel
