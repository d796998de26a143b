// Walks through constant memory, round and round, by reads of 16 bytes that lie `stride` bytes apart: what is
// larger than the SM's constant cache comes line by line from the next one. All lanes read the same.
//   indexed: at an index that might differ from lane to lane (LDC), one read a trip, or four;
//   uniform: at one of which the compiler knows that it does not, four reads a trip, of 64 bits twice each
//   (ULDC). It takes uniform registers where each number is the only one of its instruction, and the index
//   counts from zero.
// One warp tells from which size on a read takes longer, by how much, and how far apart reads are that each
// wait for a line of their own; many, that begin at different places or one after the other, what a line
// costs the SM.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/sm_span.cuh"

#include "models/core/statistics.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel::kernels {
namespace {

constexpr int table_bytes = 65536 - 1024, walked_bytes = 32768, vector_bytes = 16;
__constant__ float4 walked_table[table_bytes / vector_bytes];

// Small whole numbers, whose sums are exact.
std::vector<float> table_numbers() {
  std::vector<float> numbers(table_bytes / sizeof(float));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i * 2654435761u >> 29);
  return numbers;
}

__host__ __device__ inline float taken(const float4& v, float one) {
  return (one - v.x) * (one - v.y) + (one - v.z) * v.w;
}

struct Walk {
  bool indexed = true;
  int reads = 1, stride = 64, size = walked_bytes, warps = 1;
  bool apart = false; // warps begin at different places, or times
  int trips_of_round() const { return size / (reads * stride); }
  // From one warp's place to the next one's: a trip more than an even spread, which would have them meet in
  // one set of the cache.
  int between() const {
    const int trip = reads * stride;
    return apart && indexed ? size / warps / trip * trip + trip : 0;
  }
};

template <int reads>
__global__ void __launch_bounds__(1024) walk_indexed(Walk walk, int between, int zero, float one, int trips,
                                                     float* sums, BlockSpan* spans) {
  int at = static_cast<int>(threadIdx.x) / 32 * between % walk.size + static_cast<int>(threadIdx.x) * zero;
  float sum = 0;
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    float4 v[reads];
#pragma unroll
    for (int i = 0; i < reads; ++i)
      v[i] = *reinterpret_cast<const float4*>(reinterpret_cast<const char*>(walked_table) + at +
                                              i * walk.stride);
#pragma unroll
    for (int i = 0; i < reads; ++i) sum += taken(v[i], one);
    at += reads * walk.stride;
    at = at >= walk.size ? at - walk.size : at;
  }
  span_stop(spans);
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Each warp begins `wait` cycles after the one before it.
template <int stride>
__global__ void __launch_bounds__(1024) walk_uniform(int reads, int wait, float one, int rounds, float* sums,
                                                     BlockSpan* spans) {
  float sum = 0;
  span_start(spans);
  const long long begun = cycles_now(), later = static_cast<long long>(threadIdx.x / 32) * wait;
  while (cycles_now() - begun < later) {
  }
#pragma unroll 1
  for (int round = 0; round < rounds; ++round)
#pragma unroll 1
    for (int read = 0; read < reads; read += 4)
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float4 v = walked_table[(read + i) * (stride / vector_bytes)];
        sum += (one - v.x) * (one - v.y) + (one - v.z) * v.w;
      }
  span_stop(spans);
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

class Walks {
public:
  Walks(Session& session, Report& report)
      : session_(session), report_(report), blocks_(session.device.sm_count()), numbers_(table_numbers()),
        sums_(static_cast<std::size_t>(blocks_) * 1024), spans_(static_cast<std::size_t>(blocks_)) {
    PERFMODEL_CUDA(cudaMemcpyToSymbol(walked_table, numbers_.data(), table_bytes));
    PERFMODEL_CUDA(cudaStreamSynchronize(cudaStreamLegacy)); // the session's stream does not wait for it
  }

  // Cycles of an SM for a read of one of its warps: of two lengths the difference, after the caches and the
  // places of the warps have settled.
  Measurement cycles(const Walk& walk) {
    Measurement each;
    if (!report_.verify(is_right(walk), "sum of " + std::to_string(walk.size) + " bytes")) return each;
    constexpr int least = 256; // trips
    const int brief = std::max(walk.warps > 1 ? 8 : 2, least / walk.trips_of_round());
    const double reads = 2. * brief * walk.trips_of_round() * walk.reads * walk.warps;
    Buffer<ClockReading> clock(1);
    const int runs = session_.quick() || walk.warps > 1 ? 3 : 11;
    for (int i = 0; i < runs; ++i) {
      each.values.push_back((run(walk, 3 * brief) - run(walk, brief)) / reads);
      read_clock(clock.data(), session_.stream);
      session_.stream.synchronize();
      each.sm_clock.push_back(clock.to_host()[0].hertz());
    }
    report_.row({std::string(walk.indexed ? "indexed" : "uniform"), std::int64_t{walk.reads},
                 double(walk.stride), double(walk.size), std::int64_t{walk.warps},
                 std::string(walk.apart ? "yes" : "no")},
                each);
    return each;
  }

private:
  double run(const Walk& walk, int rounds) {
    const auto blocks = static_cast<unsigned>(blocks_), threads = static_cast<unsigned>(walk.warps) * 32;
    if (walk.indexed) {
      const auto kernel = walk.reads == 1 ? walk_indexed<1> : walk_indexed<4>;
      kernel<<<blocks, threads, 0, session_.stream>>>(walk, walk.between(), 0, 1, rounds * walk.trips_of_round(),
                                                      sums_.data(), spans_.data());
    } else {
      const auto kernel = walk.stride == 16   ? walk_uniform<16>
                          : walk.stride == 64 ? walk_uniform<64>
                                              : walk_uniform<256>;
      constexpr int of_trip = 200; // cycles, about
      const int wait = walk.apart ? of_trip * walk.trips_of_round() / walk.warps : 0;
      kernel<<<blocks, threads, 0, session_.stream>>>(walk.size / walk.stride, wait, 1, rounds, sums_.data(),
                                                      spans_.data());
    }
    PERFMODEL_CUDA(cudaGetLastError());
    session_.stream.synchronize();
    const std::vector<BlockSpan> spans = spans_.to_host();
    const auto cycles = sm_cycles(spans.data(), spans.size(), 1);
    return cycles.empty() ? absent : median(cycles);
  }

  // All warps go through all of it.
  bool is_right(const Walk& walk) {
    constexpr int rounds = 2;
    sums_.poison();
    run(walk, rounds);
    float sum = 0;
    for (int at = 0; at < walk.size; at += walk.stride) {
      const float* const v = numbers_.data() + at / static_cast<int>(sizeof(float));
      sum += rounds * ((1 - v[0]) * (1 - v[1]) + (1 - v[2]) * v[3]);
    }
    const std::vector<float> sums = sums_.to_host();
    return std::all_of(sums.begin(), sums.begin() + static_cast<std::ptrdiff_t>(blocks_) * walk.warps * 32,
                       [&](float one) { return one == sum; });
  }

  Session& session_;
  Report& report_;
  int blocks_;
  std::vector<float> numbers_;
  Buffer<float> sums_;
  Buffer<BlockSpan> spans_;
};

Measurement exactly(double value, const Measurement& like) {
  return {.values = {value}, .sm_clock = {like.sm_clock.front()}};
}

ProbeResult run(Session& session) {
  session.say("constant memory: walks through more than its cache holds");
  Report report("walks through constant memory, cycles of an SM for a read of 16 bytes",
                {{"index", {}},
                 {"reads", {}},
                 {"stride", unit_of<Bytes>()},
                 {"size", unit_of<Bytes>()},
                 {"warps", {}},
                 {"apart", {}}},
                "cycles", unit_of<Cycles>());
  Walks walks(session, report);
  std::vector<std::pair<int, Measurement>> sizes;
  for (const int size : {512, 1024, 1536, 2048, 2560, 3072, 4096, 6144, 8192, 16384, walked_bytes})
    sizes.emplace_back(size, walks.cycles({.size = size}));
  if (std::any_of(sizes.begin(), sizes.end(), [](const auto& one) { return one.second.values.empty(); }))
    return report.take();
  const double there = sizes.front().second.median(), missed = sizes.back().second.median();
  if (missed < 1.2 * there) {
    report.note("a walk of 32 KiB takes no longer than one of 512 bytes");
    return report.take();
  }
  int capacity = 0;
  for (const auto& [size, each] : sizes)
    if (each.median() < (there + missed) / 2) capacity = size;
  // Of reads that are closer together than lines some find theirs there.
  int line = 256;
  const Measurement widest = walks.cycles({.stride = line});
  if (widest.values.empty()) return report.take();
  for (const int stride : {128, 64, 32, 16}) {
    const Measurement each = walks.cycles({.stride = stride});
    if (!each.values.empty() && each.median() > there + 0.9 * (widest.median() - there)) line = stride;
  }
  Measurement latency = widest;
  for (double& cycles : latency.values) cycles -= there;

  for (const int stride : {16, 64, 256}) {
    for (const bool indexed : {true, false})
      for (const int size : {1024, 2048, 2560, 4096, walked_bytes})
        if (size >= 4 * stride) walks.cycles({.indexed = indexed, .reads = 4, .stride = stride, .size = size});
    for (const int warps : {8, 32})
      for (const bool apart : {false, true})
        walks.cycles({.indexed = false,
                      .reads = 4,
                      .stride = stride,
                      .size = stride == 256 ? walked_bytes : 8192,
                      .warps = warps,
                      .apart = apart});
  }
  Measurement interval;
  for (const int warps : {2, 4, 8, 16, 32}) interval = walks.cycles({.warps = warps, .apart = true});
  if (interval.values.empty()) return report.take();
  report.constant("constant.capacity", exactly(capacity, latency));
  report.constant("constant.line", exactly(line, latency));
  report.constant("constant.miss_latency", latency);
  report.constant("constant.miss_interval", interval);
  return report.take();
}

} // namespace

extern const Probe constant_walk{
    .name = "constant-walk",
    .order = 252,
    .measures = "reads of constant memory by warps that walk through more than its cache holds",
    .provides = {"constant.capacity", "constant.line", "constant.miss_latency", "constant.miss_interval"},
    .run = run};

} // namespace perfmodel::kernels
