#include "matrix_cost.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace perfmodel {

namespace {

// A matrix instruction's flops, by its shape: HMMA.16816 multiplies 16 x 16 by 16 x 8.
double flops_of(const Instruction& i) {
  const struct {
    std::size_t modifier;
    double m, n, k;
  } shapes[] = {{mod("16816"), 16, 8, 16}, {mod("1688"), 16, 8, 8},   {mod("1684"), 16, 8, 4},
                {mod("884"), 8, 8, 4},     {mod("16832"), 16, 8, 32}, {mod("88"), 8, 8, 4},
                {mod("8816"), 8, 8, 16},   {mod("8832"), 8, 8, 32}};
  for (const auto& shape : shapes)
    if (i.has(shape.modifier)) return 2 * shape.m * shape.n * shape.k;
  return 2.0 * 16 * 8 * 16;
}

// Of a scheduler's tensor unit in a cycle, for products of single warps.
double rate_of(const KernelCosts& c, const Instruction& i) {
  const double flops = i.opcode == "DMMA"   ? c.mma_fp64
                       : i.opcode == "IMMA" ? c.mma_int8
                       : i.has(mod("TF32")) ? c.mma_tf32
                                            : c.mma_fp16;
  if (!(flops > 0))
    throw RefusedKernel(fmt::format("line {}: {}: the rate of this GPU's tensor units for it is not known",
                                    i.line, quoted(i.text)));
  return flops;
}

// From a product of a warp to the next that adds to its result, of one for which the unit works so many
// cycles: between the shortest and one of 16 x 8 x 16 halves in proportion, beyond as many cycles longer.
double chain_latency(const KernelCosts& c, double cycles) {
  const double of_16816 = 2.0 * 16 * 8 * 16 / c.mma_fp16, longer = cycles - of_16816;
  const double slope =
      longer < 0 && c.mma_least > 0 ? (c.mma_latency - c.mma_least_latency) / (of_16816 - c.mma_least) : 1;
  return std::max(cycles, c.mma_latency + longer * slope);
}

// A warp's quarter. Whatever the numbers, their terms are 32 bytes of a row and of a column: of halves 16,
// whose rate is known. The columns come from shared memory, and the rows where no register has them.
WarpStep product_of_four_warps(const KernelCosts& c, const Instruction& i) {
  constexpr double rows = 64, warps = 4, terms = 16, bytes_of_term = 2, of_wavefront = 128;
  WarpStep step;
  const double cycles = 2 * rows * i.columns * terms / warps / c.tensor_flops;
  const bool rows_there = i.operands.size() > 1 && i.operands[1].kind == OperandKind::reg;
  const double fetched = ((rows_there ? 0 : rows) + i.columns) * terms * bytes_of_term / warps;
  step.uses[step.used++] = {c.tensor, cycles, false};
  step.uses[step.used++] = {c.sm.lsu, fetched / of_wavefront * c.sm.wavefront, false};
  step.latency = 16;
  step.queued = true;
  return step;
}

} // namespace

WarpStep matrix_cost(const KernelCosts& c, const Instruction& i) {
  if (!(c.tensor_flops > 0))
    throw RefusedKernel(fmt::format("line {}: {}: this GPU has no tensor units, or their rate is not known",
                                    i.line, quoted(i.text)));
  if (i.columns > 0) return product_of_four_warps(c, i);
  WarpStep step;
  const double cycles = std::max(flops_of(i) / rate_of(c, i), c.mma_least);
  step.latency = chain_latency(c, cycles);
  step.uses[step.used++] = {c.tensor, cycles, false};
  return step;
}

} // namespace perfmodel
