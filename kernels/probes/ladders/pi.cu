// Pi by the trapezoidal rule, 4 times the integral of sqrt(1 - x^2) over [0, 1] (J. Verschelde, MCS 572):
// each thread of one wave of blocks adds up its points, the block its threads, by either of the course's two
// summations, and one more block the sums of the blocks. Times are those of both launches, one pi after
// another; `unsummed` is the first without a summation.
// fp32, as the square root of fp64 is a function of 20 and more instructions, beside which a summation would
// count for even less. A pi is right to 4e-7 of it beside the rule's own error, 1.18 n^(-3/2).
#include "kernels/core/buffer.hpp"
#include "kernels/core/counters.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/probes/ladders/in_a_row.hpp"
#include "kernels/probes/ladders/reduction_tree.cuh"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace perfmodel::kernels {
namespace {

enum class Fold { interleaved, sequential, none };
constexpr std::array<std::string_view, 3> fold_names{"interleaved", "sequential", "unsummed"};

// Of the inner points 1 to n - 1 those of this thread; h is 1 / n. No x exceeds 1: i h rounds to 1 at most.
__device__ inline float ordinates(unsigned n, float h) {
  float sum = 0;
#pragma unroll 1
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x + 1; i < n; i += gridDim.x * blockDim.x) {
    const float x = static_cast<float>(i) * h;
    sum += __fsqrt_rn(fmaf(-x, x, 1));
  }
  return sum;
}

// In thread 0: the sum of what all threads of the block have.
template <Fold fold> __device__ inline float block_total(float mine) {
  float* const sums = shared_sums<float>();
  const unsigned t = threadIdx.x;
  sums[t] = mine;
  __syncthreads();
  if constexpr (fold == Fold::interleaved)
    pair_up(sums, t);
  else
    halve(sums, t, 1);
  return sums[0];
}

template <Fold fold> __global__ void __launch_bounds__(1024) sum_points(unsigned n, float h, float* partial) {
  const float mine = ordinates(n, h);
  if constexpr (fold == Fold::none) {
    if (mine == 1e30f) *partial = mine; // as good as never
  } else {
    const float total = block_total<fold>(mine);
    if (threadIdx.x == 0) partial[blockIdx.x] = total;
  }
}

// The ends of the interval count half: (1 + 0) / 2.
template <Fold fold>
__global__ void __launch_bounds__(1024)
    sum_blocks(const float* partial, unsigned blocks, float h, float* pi) {
  float mine = 0;
#pragma unroll 1
  for (unsigned i = threadIdx.x; i < blocks; i += blockDim.x) mine += partial[i];
  const float total = block_total<fold>(mine);
  if (threadIdx.x == 0) *pi = 4 * h * (total + 0.5f);
}

class Circle {
public:
  Circle(const Device& device, Fold fold, unsigned threads) : fold_(fold), threads_(threads), pi_(1) {
    int blocks = 0;
    PERFMODEL_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, points(), static_cast<int>(threads),
                                                                 shared_bytes()));
    wave_ = static_cast<unsigned>(blocks * device.sm_count());
    partial_ = Buffer<float>(wave_);
  }

  void enqueue(unsigned n, cudaStream_t stream) {
    const unsigned blocks = std::clamp((n + threads_ - 2) / threads_, 1u, wave_);
    const float h = 1 / static_cast<float>(n);
    points()<<<blocks, threads_, shared_bytes(), stream>>>(n, h, partial_.data());
    if (fold_ != Fold::none)
      totals()<<<1, threads_, shared_bytes(), stream>>>(partial_.data(), blocks, h, pi_.data());
    PERFMODEL_CUDA(cudaGetLastError());
  }

  // Whether it finds what the rule gives for n intervals. Nothing is known of what is not summed.
  bool right(unsigned n, cudaStream_t stream) {
    pi_.poison();
    partial_.poison();
    enqueue(n, stream);
    PERFMODEL_CUDA(cudaStreamSynchronize(stream));
    return fold_ == Fold::none || std::fabs(pi_.to_host()[0] - by_rule(n)) <= 4e-7 * std::numbers::pi;
  }

private:
  static double by_rule(unsigned n) {
    if (n > 1 << 20) return std::numbers::pi - 1.17598 * std::pow(n, -1.5);
    double sum = 0.5;
    for (unsigned i = 1; i < n; ++i) sum += std::sqrt(1 - double(i) / n * (double(i) / n));
    return 4 * sum / n;
  }

  using Points = void(unsigned, float, float*);
  using Totals = void(const float*, unsigned, float, float*);
  Points* points() const {
    if (fold_ == Fold::none) return &sum_points<Fold::none>;
    return fold_ == Fold::interleaved ? &sum_points<Fold::interleaved> : &sum_points<Fold::sequential>;
  }
  Totals* totals() const {
    return fold_ == Fold::interleaved ? &sum_blocks<Fold::interleaved> : &sum_blocks<Fold::sequential>;
  }
  std::size_t shared_bytes() const { return fold_ == Fold::none ? 0 : threads_ * sizeof(float); }

  Fold fold_;
  unsigned threads_, wave_ = 1;
  Buffer<float> partial_, pi_;
};

const std::vector<KeyColumn> keys{{"version", {}}, {"n", {}}, {"threads", {}}};

struct Case {
  Fold fold;
  unsigned n, threads;
};

// From less than one point a thread to a thousand; other blocks at two lengths.
std::vector<Case> cases(bool quick) {
  std::vector<Case> list;
  for (unsigned log_n = 16; log_n <= 28; log_n += quick ? 6 : 2)
    for (const unsigned threads : {256u, 64u, 1024u})
      for (const Fold fold : {Fold::interleaved, Fold::sequential, Fold::none})
        if (threads == 256 || (!quick && (log_n == 20 || log_n == 24)))
          list.push_back({fold, 1u << log_n, threads});
  return list;
}

// Calls back with the keys of a row and the launches that they name, seen to be right there and for numbers
// of intervals that fill no block and no wave.
template <class Each> void each(Session& session, Report& report, const Each& call) {
  for (const Case& c : cases(session.quick())) {
    const std::string version(fold_names[static_cast<std::size_t>(c.fold)]);
    const std::string name =
        "pi: " + version + " of " + std::to_string(c.n) + " in blocks of " + std::to_string(c.threads);
    session.say(name);
    Circle circle(session.device, c.fold, c.threads);
    bool right = true;
    for (const unsigned n : {1u, 2u, 3u, 33u, 257u, 99991u, 1000003u, c.n})
      right = right && circle.right(n, session.stream);
    if (!report.verify(right, name)) return;
    call({version, std::int64_t{c.n}, std::int64_t{c.threads}}, [&] { circle.enqueue(c.n, session.stream); });
  }
}

ProbeResult run(Session& session) {
  Report report("pi by the trapezoidal rule", keys, "time", unit_of<Seconds>());
  each(session, report, [&](const std::vector<Cell>& key, const std::function<void()>& launches) {
    report.row(key, seconds_in_a_row(session, launches));
  });
  return report.take();
}

ProbeResult count(Session& session) {
  Report report("pi by the trapezoidal rule, counted", keys, {{"instructions", {}}});
  Counters counters(session, {"smsp__inst_executed.sum"});
  each(session, report, [&](const std::vector<Cell>& key, const std::function<void()>& launches) {
    report.row(key, counters.count(launches, launches));
  });
  return report.take();
}

} // namespace

extern const Probe pi{.name = "pi",
                      .order = 530,
                      .model = "pi",
                      .measures =
                          "seconds of pi by either summation of a block and by none, by intervals and block",
                      .run = run,
                      .count = count,
                      .counts = "instructions of the same launches"};

} // namespace perfmodel::kernels
