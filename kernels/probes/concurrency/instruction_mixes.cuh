// Mixes of instruction classes on full SMs, in cycles per warp: independent chains of each class, their
// instructions spread evenly over the mix. The body of the loop holds `unroll` mixes; beside it the loop has
// an addition on the uniform pipe, a comparison and a branch.
//
// ptxas moves instructions apart that need each other's results, and those of a long latency to the front.
// Either makes one part of the body that this pipe limits and another that that pipe does; the sum of the
// parts is then measured and not the mix. With four chains of a class, and two of one on the special function
// units, the machine code for sm_90 keeps most mixes even.
//
// Counted in the machine code for sm_90 (CUDA 13.0): the instructions of the mix and these three, nothing
// else but up to four moves in 16 mixes where f2d is in; and fewer operands of either register bank than
// issue slots.
#pragma once

#include "instruction_chains.cuh"
#include "steady_cycles.cuh"

#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace perfmodel::kernels {

constexpr int mix_threads = 1024;

// So many steps of a class.
template <class Class, int steps> struct Part {
  using Op = Class;
  using Running = Chains<Op, Op::is_slow ? 2 : 4>;
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
    ((Parts::Running::start(a, shared), shared += Parts::Running::words_per_thread * mix_threads), ...);
  }
  template <int n> __device__ void step() {
    constexpr int part = order.part[n % size];
    using P = std::tuple_element_t<part, std::tuple<Parts...>>;
    P::Running::template step<n / size * P::count + order.earlier[n % size]>();
  }
  template <int... n> __device__ void steps(std::integer_sequence<int, n...>) { (step<n>(), ...); }
  __device__ void fold(double* out, Word* shared) const {
    ((*out = Parts::Running::fold(shared), out += gridDim.x * mix_threads,
      shared += Parts::Running::words_per_thread * mix_threads),
     ...);
  }

  static bool right(const double* got, std::size_t stride, int lane, int trips, int unroll) {
    return (Parts::Running::right(static_cast<typename Parts::Op::T>(*std::exchange(got, got + stride)), lane,
                                  trips, unroll * Parts::count) &&
            ...);
  }
  static std::string text() {
    std::string all;
    const auto add = [&](const std::string& part) { all += all.empty() ? part : "," + part; };
    (add(std::string(Parts::Op::name) + ":" + std::to_string(Parts::count * Parts::Op::instructions)), ...);
    return all;
  }
};

template <int unroll, class... Parts>
__global__ void __launch_bounds__(mix_threads, 2)
    instruction_mix_loop(double* out, int trips, BlockSpan* spans, typename Parts::Op::T... a) {
  using All = Mix<Parts...>;
  __shared__ Word shared[All::words * mix_threads + 1];
  All all;
  all.start(shared, a...);
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) all.steps(std::make_integer_sequence<int, unroll * All::size>{});
  span_stop(spans);
  all.fold(out + blockIdx.x * mix_threads + threadIdx.x, shared);
}

// The grid and buffers of one probe's mixes.
class MixBench {
public:
  MixBench(Session& session, Report& report)
      : session_(session), report_(report),
        per_sm_(std::min(2, session.device.properties.maxThreadsPerMultiProcessor / mix_threads)),
        blocks_(session.device.sm_count() * per_sm_), spans_(std::size_t(blocks_)) {}

  // Empty, with a note in the report, where the device has no such instruction or the answer is wrong.
  template <int unroll, class... Parts> std::optional<Measurement> cycles_per_mix() {
    using All = Mix<Parts...>;
    const cudaDeviceProp& properties = session_.device.properties;
    if (((properties.major * 10 + properties.minor < Parts::Op::capability) || ...)) {
      report_.note(All::text() + ": not on compute capability " + session_.device.compute_capability());
      return std::nullopt;
    }
    session_.say("instruction mix: " + All::text());
    const std::size_t stride = std::size_t(blocks_) * mix_threads;
    Buffer<double> out(stride * sizeof...(Parts));
    const auto launch = [&](int trips) {
      instruction_mix_loop<unroll, Parts...>
          <<<blocks_, mix_threads, 0, session_.stream>>>(out.data(), trips, spans_.data(), Parts::Op::a...);
    };

    out.poison();
    launch(2);
    PERFMODEL_CUDA(cudaGetLastError());
    session_.stream.synchronize();
    const std::vector<double> got = out.to_host();
    bool right = true;
    for (std::size_t i = 0; i < got.size(); ++i)
      right = right && (i < 32 ? All::right(&got[i], stride, int(i), 2, unroll)
                               : got[i] == got[i / stride * stride + i % 32]);
    if (!report_.verify(right, All::text())) return std::nullopt;

    Measurement cycles = cycles_per_trip(session_, spans_, per_sm_, launch);
    if (std::isnan(cycles.values.front())) {
      report_.note(All::text() + " left out: its blocks were dealt unevenly to the SMs");
      return std::nullopt;
    }
    const int warps = per_sm_ * mix_threads / properties.warpSize;
    for (double& c : cycles.values) c /= double(warps) * unroll;
    return cycles;
  }

private:
  Session& session_;
  Report& report_;
  int per_sm_, blocks_;
  Buffer<BlockSpan> spans_;
};

} // namespace perfmodel::kernels
