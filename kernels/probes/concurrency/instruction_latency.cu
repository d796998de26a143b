// Latency of every instruction class: one warp, one chain in which each instruction needs the result of the
// one before; two interleaved chains where a class reads both. The difference of a long and a short run
// leaves out the clock reads and the start. Not here: what gives no result (stores, branches).
#include "instruction_chains.cuh"
#include "instruction_functions.cuh"

#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/report.hpp"
#include "kernels/probes/registry.hpp"

#include "models/concurrency/instruction_class.hpp"

namespace perfmodel::kernels {
namespace {

constexpr int short_run = 4, long_run = 12;
template <class Op> constexpr int chains = Op::crosses ? 2 : 1;
// Of one chain in a trip; the loop's branch shows in a short body.
template <class Op> constexpr int steps = 256 / (chains<Op> * Op::instructions);
// Dependent instructions of a kind in a step: a pair of them counts each.
template <class Op> constexpr int links = chains<Op>*(Op::instructions > 1 ? Op::results : 1);

template <class Op>
__global__ void instruction_chain(typename Op::T* out, typename Op::T a, int trips, ClockReading* reading) {
  using All = Chains<Op, chains<Op>>;
  __shared__ Word words[All::words_per_thread * 32 + 1];
  All all;
  all.start(a, words);
  clock_start(reading);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int step = 0; step < steps<Op>; ++step) all.round();
  out[threadIdx.x] = all.fold(words); // needs the last results: the clock is not read before they are there
  __syncwarp();
  clock_stop(reading);
}

struct Probing {
  Session& session;
  Report& report;
};

template <class Op> Measurement latency_of(Probing& on) {
  const cudaDeviceProp& properties = on.session.device.properties;
  if (properties.major * 10 + properties.minor < Op::capability) {
    on.report.note(std::string(Op::name) + ": not on compute capability " +
                   on.session.device.compute_capability());
    return {};
  }
  on.session.say(std::string("instruction latency: ") + Op::name);
  using All = Chains<Op, chains<Op>>;
  Buffer<typename Op::T> out(32);
  Buffer<ClockReading> reading(1);
  const auto cycles = [&](int trips) {
    instruction_chain<Op><<<1, 32, 0, on.session.stream>>>(out.data(), Op::a, trips, reading.data());
    PERFMODEL_CUDA(cudaGetLastError());
    on.session.stream.synchronize();
    return static_cast<double>(reading.to_host()[0].cycles);
  };

  out.poison();
  cycles(2);
  const std::vector<typename Op::T> got = out.to_host();
  for (int lane = 0; lane < 32; ++lane)
    if (!on.report.verify(All::right(got[lane], lane, 2, steps<Op> * chains<Op>), Op::name)) return {};

  Measurement latency;
  Buffer<ClockReading> clock(1);
  for (int i = -2; i < 11; ++i) { // two to warm the instruction cache
    const double difference = cycles(long_run) - cycles(short_run);
    if (i < 0) continue;
    latency.values.push_back(difference / ((long_run - short_run) * steps<Op> * links<Op>));
    read_clock(clock.data(), on.session.stream);
    on.session.stream.synchronize();
    latency.sm_clock.push_back(clock.to_host()[0].hertz());
  }
  on.report.row({std::string(Op::name)}, latency);
  return latency;
}

template <class... Ops> void measure(Probing& on) { (latency_of<Ops>(on), ...); }

ProbeResult run(Session& session) {
  Report report("instruction latency", {{"class", {}}}, "latency", unit_of<Cycles>());
  Probing on{session, report};
  const Measurement rcp = latency_of<Rcp>(on);
  if (rcp.values.empty()) return report.take();
  report.constant("sfu.latency", rcp);
  measure<Ffma, Iadd3, SharedLoad>(on);
  if (session.quick()) return report.take();
  measure<Fadd, Fmul, Fmin, Dadd, Dmul, Dfma, Hfma2, Bfma2, Imul, Imad, Shift, Logic, Compare, Imin>(on);
  measure<IntToFloat, FloatToInt, FloatToHalf, HalfToFloat, FloatToDouble, DoubleToFloat, ByteToInt>(on);
  measure<Rsqrt, Sqrt, Lg2, Ex2, Popc, Clz, Shuffle, Vote, SharedAtomic>(on);
  measure<FastSin, FastExp, AccurateSin, AccurateExp, FastDivide, Divide, UnsignedDivide, UnsignedModulo>(on);
  return report.take();
}

} // namespace

const Probe instruction_latency{"instruction-latency",
                                "instruction-throughput",
                                "cycles from an instruction to the one that needs its result, by class",
                                {"sfu.latency"},
                                run};

} // namespace perfmodel::kernels
