// Throughput of every instruction class: each thread runs four independent chains of the class alone, on
// every SM full of warps. What a loop of 256 instructions takes beyond one of 128: the loop's own three
// instructions are in both.
//
// The peaks throughput.fp32_fma and throughput.fp64_fma are no constants of this probe: the lanes that other
// models count are those of the data sheet, which these rows confirm.
#include "instruction_chains.cuh"
#include "instruction_functions.cuh"
#include "steady_cycles.cuh"

#include "kernels/core/probe.hpp"

#include "models/concurrency/instruction_class.hpp"

#include <optional>

namespace perfmodel::kernels {
namespace instruction_rate_probe {
namespace {

constexpr int threads = 1024;
template <class Op> constexpr int chains = Op::is_loop ? 1 : 4;
template <class Op>
constexpr int half = std::max(1, 128 / (chains<Op> * Op::instructions)); // rounds in a trip

template <class Op, int rounds>
__global__ void __launch_bounds__(threads, 2)
    instruction_chains(typename Op::T* out, typename Op::T a, int trips, BlockSpan* spans) {
  using All = Chains<Op, chains<Op>>;
  __shared__ Word words[All::words_per_thread * threads + 1];
  All all;
  all.start(a, words);
  span_start(spans);
  all.template loop<rounds>(trips);
  span_stop(spans);
  out[blockIdx.x * threads + threadIdx.x] = all.fold(words);
}

struct Probing {
  Session& session;
  Report& report;
  int blocks_per_sm, blocks;
  Buffer<BlockSpan> spans;
};

// Cycles per trip; empty, with a note in the report, where that cannot be told.
template <class Op, int rounds> std::optional<Measurement> trip_of(Probing& on) {
  using All = Chains<Op, chains<Op>>;
  Buffer<typename Op::T> out(std::size_t(on.blocks) * threads);
  const auto launch = [&](int trips) {
    instruction_chains<Op, rounds>
        <<<on.blocks, threads, 0, on.session.stream>>>(out.data(), Op::a, trips, on.spans.data());
  };

  out.poison();
  launch(2);
  PERFMODEL_CUDA(cudaGetLastError());
  on.session.stream.synchronize();
  const std::vector<typename Op::T> got = out.to_host();
  bool right = true;
  for (std::size_t i = 0; i < got.size(); ++i)
    right = right && (i < 32 ? All::right(got[i], int(i), 2, rounds * chains<Op>) : got[i] == got[i % 32]);
  if (!on.report.verify(right, Op::name)) return std::nullopt;

  const Measurement cycles = cycles_per_trip(on.session, on.spans, on.blocks_per_sm, launch);
  if (!std::isnan(cycles.values.front())) return cycles;
  on.report.note(std::string(Op::name) + " left out: its blocks were dealt unevenly to the SMs");
  return std::nullopt;
}

// For half<Op> rounds; of a loop for the trip.
template <class Op> std::optional<Measurement> cycles_of_class(Probing& on) {
  if constexpr (Op::is_loop) {
    return trip_of<Op, 1>(on);
  } else {
    auto cycles = trip_of<Op, 2 * half<Op>>(on);
    const auto shorter = trip_of<Op, half<Op>>(on);
    if (!cycles || !shorter) return std::nullopt;
    for (std::size_t i = 0; i < cycles->values.size(); ++i) cycles->values[i] -= shorter->values[i];
    return cycles;
  }
}

bool is_peak(std::string_view path) {
  return path == facts::throughput_fp32_fma.path || path == facts::throughput_fp64_fma.path;
}

template <class Op> void measure_class(Probing& on) {
  if (!is_on_device<Op>(on.session, on.report)) return;
  on.session.say(std::string("instruction rate: ") + Op::name);
  const auto cycles = cycles_of_class<Op>(on);
  if (!cycles) return;
  const int rounds = Op::is_loop ? 1 : half<Op>;
  const double results = double(on.blocks_per_sm) * threads * rounds * chains<Op> * Op::results;
  Measurement rate{.values = {}, .sm_clock = cycles->sm_clock};
  for (const double c : cycles->values) rate.values.push_back(results / c);
  on.report.row({std::string(Op::name)}, rate);
  const std::string_view path = find_instruction_class(Op::name)->throughput->path;
  if (!is_peak(path)) on.report.constant(path, rate);
}

template <class... Ops> struct List {
  static void measure(Probing& on) { (measure_class<Ops>(on), ...); }
  static std::vector<std::string_view> provides() {
    return {find_instruction_class(Ops::name)->throughput->path...};
  }
};
using Few = List<Ffma, Iadd, Imad, Rcp, SharedLoad>;
using Rest = List<Fadd, Fmul, Fmin, Dadd, Dmul, Dfma, Hfma2, Hfma2OfHalf, Bfma2, Iadd3, Imul, Shift, Logic,
                  Compare, Imin, IntToFloat, FloatToInt, FloatToHalf, HalfToFloat, FloatToDouble,
                  DoubleToFloat, ByteToInt, Rsqrt, Sqrt, Lg2, Ex2, Popc, Clz, Shuffle, Transpose, Vote,
                  SharedStore, SharedAtomic, Branch, FastSin, FastCos, FastExp, AccurateSin, AccurateCos,
                  AccurateExp, FastDivide, Divide, AccurateSqrt, UnsignedDivide, UnsignedModulo, SignedDivide,
                  SignedModulo, UnsignedDivideBy7, UnsignedModuloBy7, SignedDivideBy8, SignedModuloBy8>;

std::vector<std::string_view> every_path() {
  std::vector<std::string_view> paths = Few::provides();
  for (const std::string_view path : Rest::provides()) paths.push_back(path);
  std::erase_if(paths, is_peak);
  return paths;
}

ProbeResult run(Session& session) {
  Report report("instruction rate", {{"class", {}}}, "throughput", unit_of<PerCycle>());
  const int per_sm = std::min(2, session.device.properties.maxThreadsPerMultiProcessor / threads);
  const int blocks = session.device.sm_count() * per_sm;
  Probing on{session, report, per_sm, blocks, Buffer<BlockSpan>(std::size_t(blocks))};
  Few::measure(on);
  if (!session.quick()) Rest::measure(on);
  return report.take();
}

} // namespace
} // namespace instruction_rate_probe

extern const Probe instruction_rate{.name = "instruction-rate",
                                    .order = 60,
                                    .model = "instruction-throughput",
                                    .measures = "results per clock and SM of every instruction class",
                                    .provides = instruction_rate_probe::every_path(),
                                    .run = instruction_rate_probe::run};

} // namespace perfmodel::kernels
