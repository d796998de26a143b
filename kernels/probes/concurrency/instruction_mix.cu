// Mixes of instruction classes: what a full SM takes for one, in cycles per warp. Two independent chains of
// each class, their instructions spread evenly over the mix. The body of the loop holds `unroll` mixes;
// beside it the loop has an addition on the uniform pipe, a comparison and a branch.
#include "instruction_chains.cuh"
#include "steady_cycles.cuh"

#include "kernels/probes/registry.hpp"

#include <tuple>
#include <utility>

namespace perfmodel::kernels {
namespace {

constexpr int threads = 1024, chains = 2;

// So many steps of a class.
template <class Class, int steps> struct Part {
  using Op = Class;
  using Running = Chains<Op, chains>;
  static constexpr int count = steps;
};

// For every step of a mix the part it belongs to, which is the one furthest behind its share, and how many
// steps that part has had.
template <int size> struct Order {
  int part[size] = {}, earlier[size] = {};
};
template <int... counts> constexpr auto spread_evenly() {
  constexpr int share[] = {counts...}, size = (counts + ...);
  Order<size> order;
  int done[sizeof...(counts)] = {};
  for (int n = 0; n < size; ++n) {
    const auto behind = [&](int part) { return (n + 1) * share[part] - done[part] * size; };
    int furthest = 0;
    for (int part = 1; part < int(sizeof...(counts)); ++part)
      if (behind(part) > behind(furthest)) furthest = part;
    order.part[n] = furthest;
    order.earlier[n] = done[furthest]++;
  }
  return order;
}

// All parts, each in registers of its own; their words of shared memory follow one another.
template <class... Parts> struct Mix : Parts::Running... {
  static constexpr int size = (Parts::count + ...);
  static constexpr auto order = spread_evenly<Parts::count...>();
  static constexpr int words = (Parts::Running::words_per_thread + ...);

  __device__ void start(Word* shared, typename Parts::Op::T... a) {
    ((Parts::Running::start(a, shared), shared += Parts::Running::words_per_thread * threads), ...);
  }
  template <int n> __device__ void step() {
    constexpr int part = order.part[n % size];
    using P = std::tuple_element_t<part, std::tuple<Parts...>>;
    P::Running::template step<n / size * P::count + order.earlier[n % size]>();
  }
  template <int... n> __device__ void steps(std::integer_sequence<int, n...>) { (step<n>(), ...); }
  __device__ void fold(double* out, Word* shared) const {
    ((*out = Parts::Running::fold(shared), out += gridDim.x * threads,
      shared += Parts::Running::words_per_thread * threads),
     ...);
  }

  static bool right(const double* got, std::size_t stride, int lane, int trips, int unroll) {
    return (Parts::Running::right(static_cast<typename Parts::Op::T>(*std::exchange(got, got + stride)), lane,
                                  trips, unroll * Parts::count) &&
            ...);
  }
  static std::string text() {
    std::string all;
    ((all += (all.empty() ? "" : ",") + std::string(Parts::Op::name) + ":" +
             std::to_string(Parts::count * Parts::Op::instructions)),
     ...);
    return all;
  }
};

template <int unroll, class... Parts>
__global__ void __launch_bounds__(threads, 2)
    instruction_mix_loop(double* out, int trips, BlockSpan* spans, typename Parts::Op::T... a) {
  using All = Mix<Parts...>;
  __shared__ Word shared[All::words * threads + 1];
  All all;
  all.start(shared, a...);
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) all.steps(std::make_integer_sequence<int, unroll * All::size>{});
  span_stop(spans);
  all.fold(out + blockIdx.x * threads + threadIdx.x, shared);
}

struct Probing {
  Session& session;
  Report& report;
  int blocks_per_sm, blocks;
  Buffer<BlockSpan> spans;
};

template <int unroll, class... Parts> void measure_mix(Probing& on) {
  using All = Mix<Parts...>;
  const cudaDeviceProp& properties = on.session.device.properties;
  if (((properties.major * 10 + properties.minor < Parts::Op::capability) || ...)) {
    on.report.note(All::text() + ": not on compute capability " + on.session.device.compute_capability());
    return;
  }
  on.session.say("instruction mix: " + All::text());
  const std::size_t stride = std::size_t(on.blocks) * threads;
  Buffer<double> out(stride * sizeof...(Parts));
  const auto launch = [&](int trips) {
    instruction_mix_loop<unroll, Parts...>
        <<<on.blocks, threads, 0, on.session.stream>>>(out.data(), trips, on.spans.data(), Parts::Op::a...);
  };

  out.poison();
  launch(2);
  PERFMODEL_CUDA(cudaGetLastError());
  on.session.stream.synchronize();
  const std::vector<double> got = out.to_host();
  bool right = true;
  for (std::size_t i = 0; i < got.size(); ++i)
    right = right && (i < 32 ? All::right(&got[i], stride, int(i), 2, unroll)
                             : got[i] == got[i / stride * stride + i % 32]);
  if (!on.report.verify(right, All::text())) return;

  Measurement cycles = cycles_per_trip(on.session, on.spans, on.blocks_per_sm, launch);
  if (std::isnan(cycles.values.front()))
    return on.report.note(All::text() + " left out: its blocks were dealt unevenly to the SMs");
  const int warps = on.blocks_per_sm * threads / on.session.device.properties.warpSize;
  for (double& c : cycles.values) c /= double(warps) * unroll;
  on.report.row({All::text(), std::int64_t{unroll}, std::string("uadd:1,compare:1,branch:1")}, cycles);
}

template <class Op, int n> using N = Part<Op, n>;

constexpr int long_body = 16;
template <class... Parts> void unrolled(Probing& on) { measure_mix<long_body, Parts...>(on); }
template <class... Parts> void short_loops(Probing& on) {
  measure_mix<1, Parts...>(on);
  measure_mix<2, Parts...>(on);
}

void measure_few(Probing& on) {
  unrolled<N<Ffma, 8>, N<Iadd3, 4>>(on);
  unrolled<N<Ffma, 8>, N<Rcp, 1>>(on);
  measure_mix<1, N<Ffma, 8>, N<Iadd3, 4>>(on);
}

void measure_pairs(Probing& on) {
  unrolled<N<Ffma, 8>, N<Iadd3, 8>>(on);
  unrolled<N<Ffma, 4>, N<Iadd3, 8>>(on);
  unrolled<N<Ffma, 8>, N<Iadd, 4>>(on);
  unrolled<N<Ffma, 8>, N<Logic, 6>>(on);
  unrolled<N<Ffma, 8>, N<Imad, 4>>(on);
  unrolled<N<Ffma, 4>, N<Imad, 4>>(on);
  unrolled<N<Ffma, 4>, N<Dfma, 4>>(on);
  unrolled<N<Ffma, 8>, N<Dfma, 2>>(on);
  unrolled<N<Dfma, 4>, N<Iadd3, 4>>(on);
  unrolled<N<Ffma, 4>, N<Hfma2, 4>>(on);
  unrolled<N<Hfma2, 8>, N<Imad, 4>>(on);
  unrolled<N<Ffma, 8>, N<SharedLoad, 1>>(on);
  unrolled<N<Ffma, 8>, N<SharedLoad, 4>>(on);
  unrolled<N<Ffma, 8>, N<Shuffle, 2>>(on);
  unrolled<N<SharedLoad, 2>, N<SharedStore, 2>>(on);
  unrolled<N<SharedLoad, 2>, N<Shuffle, 2>>(on);
  unrolled<N<Ffma, 8>, N<IntToFloat, 2>>(on);
  unrolled<N<Ffma, 8>, N<FloatToInt, 1>>(on);
  unrolled<N<Ffma, 8>, N<Compare, 2>>(on);
  unrolled<N<Ffma, 8>, N<SharedAtomic, 1>>(on);
  unrolled<N<Ffma, 8>, N<FloatToDouble, 1>>(on);
  unrolled<N<Imad, 4>, N<Logic, 4>>(on);
}

void measure_larger(Probing& on) {
  unrolled<N<Ffma, 12>, N<Rcp, 1>, N<Iadd3, 3>>(on);
  unrolled<N<Ffma, 8>, N<SharedLoad, 2>, N<Iadd3, 2>>(on);
  unrolled<N<Iadd3, 4>, N<Logic, 4>, N<Shift, 4>>(on);
  unrolled<N<Logic, 4>, N<Imad, 4>, N<Imin, 2>>(on);
  unrolled<N<Rcp, 1>, N<FloatToInt, 1>, N<Ffma, 4>>(on);
  unrolled<N<Rcp, 1>, N<Popc, 1>, N<Ffma, 6>>(on);
  unrolled<N<Ex2, 1>, N<Ffma, 6>, N<Fmul, 2>>(on);
  unrolled<N<FloatToHalf, 2>, N<HalfToFloat, 2>, N<Ffma, 4>>(on);
  unrolled<N<Bfma2, 4>, N<Ffma, 4>, N<Iadd3, 4>>(on);
  unrolled<N<Ffma, 6>, N<Logic, 4>, N<Shift, 2>, N<SharedLoad, 1>>(on);
  unrolled<N<Imad, 4>, N<Iadd3, 4>, N<Shift, 2>, N<SharedLoad, 1>>(on);
  unrolled<N<Ffma, 6>, N<Fadd, 2>, N<Fmul, 2>, N<Iadd3, 2>, N<SharedLoad, 1>>(on);
  unrolled<N<Dfma, 2>, N<Ffma, 4>, N<Imad, 2>, N<SharedLoad, 1>, N<Rcp, 1>>(on);
}

void measure_loops(Probing& on) {
  short_loops<N<Ffma, 8>>(on);
  short_loops<N<Ffma, 4>, N<Imad, 4>>(on);
  short_loops<N<Iadd3, 4>, N<Logic, 4>>(on);
  short_loops<N<Ffma, 8>, N<SharedLoad, 2>>(on);
  short_loops<N<Ffma, 4>, N<Dfma, 2>>(on);
  short_loops<N<Ffma, 8>, N<Rcp, 1>>(on);
  short_loops<N<Ffma, 6>, N<Logic, 4>, N<Shift, 2>, N<SharedLoad, 1>>(on);
}

ProbeResult run(Session& session) {
  Report report("instruction mixes", {{"mix", {}}, {"unroll", {}}, {"overhead", {}}}, "mix_cycles",
                unit_of<Cycles>());
  const int per_sm = std::min(2, session.device.properties.maxThreadsPerMultiProcessor / threads);
  const int blocks = session.device.sm_count() * per_sm;
  Probing on{session, report, per_sm, blocks, Buffer<BlockSpan>(std::size_t(blocks))};
  measure_few(on);
  if (session.quick()) return report.take();
  measure_pairs(on);
  measure_larger(on);
  measure_loops(on);
  return report.take();
}

} // namespace

const Probe instruction_mix{
    "instruction-mix", "instruction-throughput", "cycles per warp of mixes of instruction classes", {}, run};

} // namespace perfmodel::kernels
