#include "matmul_programs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace perfmodel {

namespace {

constexpr std::int64_t lanes = 32;
constexpr std::int64_t products_at_once = 16; // whose words of shared memory nvcc has loaded ahead

class Warp {
public:
  static constexpr std::int64_t fmas_of_k = 64; // of a thread of the register tile

  Warp(const SmModel& sm, const MatmulRung& rung, const MatmulTraffic& traffic, bool shared_operands)
      : sm_(sm), rung_(rung), traffic_(traffic), shared_operands_(shared_operands) {}

  WarpProgram naive(std::int64_t trips) const {
    WarpCode code(sm_), trip(sm_);
    code.enter(14);
    for (std::int64_t k = 0; k < matmul_trip(rung_); ++k)
      trip.run("iadd", 2, k == 0 ? WarpWait::results : WarpWait::nothing)
          .load(traffic_of(traffic_.a), WarpWait::nothing)
          .load(traffic_of(traffic_.b), WarpWait::nothing);
    trip.run("ffma", 1, WarpWait::loads).chain("ffma", matmul_trip(rung_) - 1).loop_end();
    code.add(trip, trips);
    return write(std::move(code), 1, 1);
  }

  // Small tiles come in turns of several: nvcc unrolls short loops, and the loads of all four or of the next
  // one of two are on their way while tiles are multiplied.
  WarpProgram tiled(std::int64_t trips) const {
    WarpCode code(sm_), trip(sm_);
    code.enter(20);
    const std::int64_t tiles = matmul_trip(rung_) / rung_.depth;
    const bool together = tiles > 2;
    for (std::int64_t i = 0; i < (together ? tiles : 1); ++i) addresses(trip);
    for (std::int64_t i = 0; i < tiles; ++i) {
      trip.shared_store(traffic_.store_a, WarpWait::loads)
          .shared_store(traffic_.store_b, WarpWait::nothing)
          .barrier();
      const bool next = !together && i + 1 < tiles;
      for (std::int64_t k = 0; k < rung_.depth; k += products_at_once) {
        products(trip, std::min(products_at_once, rung_.depth - k));
        if (next && k == 0) addresses(trip);
      }
      trip.barrier();
    }
    trip.loop_end();
    code.add(trip, trips);
    return write(std::move(code), 1, 1);
  }

  // `waits`: slots of the scheduler for which the FMAs of one k keep it waiting for their operands.
  WarpProgram register_tiled(std::int64_t trips, std::int64_t waits) const {
    constexpr std::int64_t loads = 4;
    constexpr double vector_words = 4;
    const double wavefronts = (traffic_.load_a + traffic_.load_b) / 2;
    WarpCode code(sm_), trip(sm_);
    code.enter(60);
    for (const OperandLoad& next : {traffic_.a, traffic_.b}) // each behind the test whether it is inside
      trip.compare()
          .compare()
          .chain("iadd", 11)
          .slots(7)
          .load(traffic_of(next, vector_words), WarpWait::results);
    for (std::int64_t k = 0; k < rung_.depth; ++k) {
      if (k + 1 == rung_.depth) { // the next tiles, before the last products of this one
        trip.chain("iadd", 5).slots(10);
        for (int word = 0; word < vector_words; ++word) // of a column of A
          trip.shared_store(traffic_.store_a / vector_words, word == 0 ? WarpWait::loads : WarpWait::nothing);
        trip.shared_store(traffic_.store_b, WarpWait::nothing, vector_words).barrier();
      }
      for (std::int64_t i = 0; i < loads; ++i)
        trip.shared_load(wavefronts, i == 0 ? WarpWait::results : WarpWait::nothing, vector_words);
      trip.run("ffma", fmas_of_k).slots(waits);
    }
    trip.loop_end();
    code.add(trip, trips);
    return write(std::move(code), 16, 4);
  }

private:
  static Traffic traffic_of(const OperandLoad& load, double registers = 1) {
    return {.wavefronts = load.wavefronts,
            .l2_bytes = load.l2_bytes,
            .dram_bytes = load.dram_bytes,
            .registers = registers};
  }

  // Where a thread's words of the next tiles are, whether they are inside, and their loads.
  void addresses(WarpCode& code) const {
    code.run("compare", 3, WarpWait::results).compare(WarpWait::nothing);
    if (!shared_operands_) code.constant_load();
    code.run("iadd", 4).load(traffic_of(traffic_.a), WarpWait::nothing).slots(8, WarpWait::results);
    code.load(traffic_of(traffic_.b), WarpWait::results);
  }

  // Words of B for some k, those of A for the same, several in one load, and a chain of FMAs.
  void products(WarpCode& code, std::int64_t count) const {
    for (std::int64_t k = 0; k < count; ++k)
      if (shared_operands_)
        code.run(
            "fadd_s"); // stands for the move of a word of B to a register: as long as an addition with it
      else {
        code.shared_load(traffic_.load_b, WarpWait::nothing);
        if (k % traffic_.wide == 0)
          code.shared_load(traffic_.load_a, WarpWait::nothing, static_cast<double>(traffic_.wide));
      }
    code.chain(shared_operands_ ? "ffma_bs" : "ffma", count);
  }

  WarpProgram write(WarpCode code, std::int64_t stores, double wavefronts) const {
    const double bytes = traffic_.stores * 32;
    code.slots(6);
    for (std::int64_t i = 0; i < stores; ++i)
      code.store({.wavefronts = wavefronts, .l2_bytes = bytes, .dram_bytes = bytes},
                 i == 0 ? WarpWait::results : WarpWait::nothing);
    return code.steps();
  }

  const SmModel& sm_;
  const MatmulRung& rung_;
  const MatmulTraffic& traffic_;
  const bool shared_operands_;
};

} // namespace

std::span<const std::string_view> matmul_classes(const Gpu& gpu) {
  static constexpr std::array<std::string_view, 5> all{"ffma", "iadd", "compare", "fadd_s", "ffma_bs"};
  const bool shared_operands = gpu.record(facts::throughput_fp32_mad_shared_3.path) != nullptr;
  return {all.data(), shared_operands ? 5u : 3u};
}

std::int64_t matmul_trip(const MatmulRung& rung) {
  if (rung.version == MatmulVersion::naive) return 16;
  if (rung.version == MatmulVersion::tiled)
    return rung.depth * (rung.depth <= 4 ? 4 : rung.depth <= 8 ? 2 : 1);
  return rung.depth;
}

BlockProgram matmul_program(const SmModel& sm, const MatmulRung& rung, const MatmulTraffic& traffic,
                            const RegisterReads& reads, bool shared_operands, std::int64_t trips) {
  const Warp warp(sm, rung, traffic, shared_operands);
  BlockProgram block;
  if (rung.version == MatmulVersion::naive)
    block.programs.push_back(warp.naive(trips));
  else if (rung.version == MatmulVersion::tiled)
    block.programs.push_back(warp.tiled(trips));
  else {
    const double waits = reads.bank_per_cycle > 0 ? reads.waits / reads.bank_per_cycle : 0;
    block.programs.push_back(warp.register_tiled(trips, std::llround(waits * Warp::fmas_of_k)));
  }
  block.of_warp.assign(static_cast<std::size_t>((rung.threads + lanes - 1) / lanes), 0);
  return block;
}

} // namespace perfmodel
