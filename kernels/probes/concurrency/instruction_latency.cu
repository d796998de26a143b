// Latency of every instruction class: one warp, one chain in which each instruction needs the result of the
// one before; two interleaved chains where a class reads both. What a loop of 256 steps takes beyond one of
// 128 leaves out the loop's branch, the difference of a long and a short run of each the clock reads and the
// start. Not here: what gives no result (stores, branches).
#include "instruction_chains.cuh"
#include "instruction_functions.cuh"

#include "kernels/core/buffer.hpp"
#include "kernels/core/clock.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include "models/concurrency/instruction_latency.hpp"

#include <algorithm>
#include <optional>

namespace perfmodel::kernels {
namespace instruction_latency_probe {
namespace {

constexpr int short_run = 4, long_run = 12;
template <class Op> constexpr int chains = Op::crosses ? 2 : 1;
template <class Op> constexpr int half = 128 / (chains<Op> * Op::instructions); // rounds in a trip
// Dependent instructions of a kind in a step: a pair of them counts each.
template <class Op> constexpr int links = chains<Op>*(Op::instructions > 1 ? Op::results : 1);

template <class Op, int rounds>
__global__ void instruction_chain(typename Op::T* out, typename Op::T a, int trips, ClockReading* reading) {
  using All = Chains<Op, chains<Op>>;
  __shared__ Word words[All::words_per_thread * 32 + 1];
  All all;
  all.start(a, words);
  clock_start(reading);
  all.template loop<rounds>(trips);
  out[threadIdx.x] = all.fold(words); // needs the last results: the clock is not read before they are there
  __syncwarp();
  clock_stop(reading);
}

struct Probing {
  Session& session;
  Report& report;
};

template <class Op> std::string_view path_of() { return latency_of(*find_instruction_class(Op::name))->path; }
// Constants of the probe fma-latency, which these rows are held against.
bool is_elsewhere(std::string_view path) {
  return path == facts::fma_latency.path || path == facts::fp64_latency.path;
}

// Cycles of a long run less those of a short one, 11 times; empty where the answer is wrong.
template <class Op, int rounds> std::vector<double> cycles_of_runs(Probing& on) {
  using All = Chains<Op, chains<Op>>;
  Buffer<typename Op::T> out(32);
  Buffer<ClockReading> reading(1);
  const auto cycles = [&](int trips) {
    instruction_chain<Op, rounds><<<1, 32, 0, on.session.stream>>>(out.data(), Op::a, trips, reading.data());
    PERFMODEL_CUDA(cudaGetLastError());
    on.session.stream.synchronize();
    return static_cast<double>(reading.to_host()[0].cycles);
  };

  out.poison();
  cycles(2);
  const std::vector<typename Op::T> got = out.to_host();
  for (int lane = 0; lane < 32; ++lane)
    if (!on.report.verify(All::right(got[lane], lane, 2, rounds * chains<Op>), Op::name)) return {};

  std::vector<double> differences;
  for (int i = -2; i < 11; ++i) { // two to warm the instruction cache
    const double difference = cycles(long_run) - cycles(short_run);
    if (i >= 0) differences.push_back(difference);
  }
  return differences;
}

template <class Op> void measure_class(Probing& on) {
  if (!is_on_device<Op>(on.session, on.report)) return;
  on.session.say(std::string("instruction latency: ") + Op::name);
  const std::vector<double> longer = cycles_of_runs<Op, 2 * half<Op>>(on);
  const std::vector<double> shorter = cycles_of_runs<Op, half<Op>>(on);
  if (longer.empty() || shorter.empty()) return;

  Measurement latency;
  Buffer<ClockReading> clock(1);
  read_clock(clock.data(), on.session.stream);
  on.session.stream.synchronize();
  for (std::size_t i = 0; i < longer.size(); ++i) {
    latency.values.push_back((longer[i] - shorter[i]) / ((long_run - short_run) * half<Op> * links<Op>));
    latency.sm_clock.push_back(clock.to_host()[0].hertz());
  }
  on.report.row({std::string(Op::name)}, latency);
  const std::string_view path = path_of<Op>();
  if (!is_elsewhere(path)) on.report.constant(path, latency);
}

template <class... Ops> struct List {
  static void measure(Probing& on) { (measure_class<Ops>(on), ...); }
  static std::vector<std::string_view> provides() {
    std::vector<std::string_view> paths{path_of<Ops>()...};
    std::erase_if(paths, is_elsewhere);
    return paths;
  }
};
using Few = List<Rcp, Ffma, Iadd3, SharedLoad>;
using Rest = List<Fadd, Fmul, Fmin, Dadd, Dmul, Dfma, Hfma2, Bfma2, Imul, Imad, Shift, Logic, Compare, Imin,
                  IntToFloat, FloatToInt, FloatToHalf, HalfToFloat, FloatToDouble, DoubleToFloat, ByteToInt,
                  Rsqrt, Sqrt, Lg2, Ex2, Popc, Clz, Shuffle, Transpose, Vote, SharedAtomic, FastSin, FastExp,
                  AccurateSin, AccurateExp, FastDivide, Divide, UnsignedDivide, UnsignedModulo>;

std::vector<std::string_view> every_path() {
  std::vector<std::string_view> paths = Few::provides();
  for (const std::string_view path : Rest::provides()) paths.push_back(path);
  return paths;
}

ProbeResult run(Session& session) {
  Report report("instruction latency", {{"class", {}}}, "latency", unit_of<Cycles>());
  Probing on{session, report};
  Few::measure(on);
  if (!session.quick()) Rest::measure(on);
  return report.take();
}

} // namespace
} // namespace instruction_latency_probe

extern const Probe instruction_latency{
    .name = "instruction-latency",
    .order = 50,
    .model = "instruction-throughput",
    .measures = "cycles from an instruction to the one that needs its result, by class",
    .provides = instruction_latency_probe::every_path(),
    .run = instruction_latency_probe::run};

} // namespace perfmodel::kernels
