// What a copy loses when it does not write a stream, 1 GiB each way: enough to leave L2 out, and little
// enough for the translation of addresses. As in dram_copy.cu, one 16-byte load and store per thread.
//   shuffled: it reads a stream, and writes runs of 128 bytes to 4 KiB, whole lines, in shuffled order; or it
//     reads such runs, too, in another order. Nothing completes them. On an H200 runs of 256 bytes and more
//     are all the same.
//   tiles: it moves square tiles of a matrix, rows of 128 or 256 bytes, to their transposed places, none of
//     them transposed itself; row of tiles after row of tiles, or in diagonal order, as transposes do. What
//     lies beside a run is written a row of tiles later, and L2 still has some of it.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/vector_access.cuh"
#include "kernels/probes/access/shuffled.hpp"

#include <bit>
#include <optional>
#include <string>

namespace perfmodel::kernels {
namespace run_copy_probe {
namespace {

constexpr int threads = 128;

struct Runs {
  Shuffled shuffled;
  unsigned vectors_log2; // of a run
  std::uint32_t first;   // run that is the first in the shuffled order

  __device__ std::size_t operator()(std::uint32_t vector) const {
    return (std::size_t{shuffled((vector >> vectors_log2) + first)} << vectors_log2) +
           (vector & ((1u << vectors_log2) - 1));
  }
};

struct Stream {
  __device__ std::size_t operator()(std::uint32_t vector) const { return vector; }
};

// Vectors tile by tile, in each row by row, of a matrix that is square or, of an odd power of two, twice as
// wide as high; all sides are powers of two.
struct Tiles {
  unsigned columns_log2, rows_log2; // of tiles
  unsigned vectors_log2;            // of a row of a tile, which has four times as many rows
  bool transposed, diagonal;

  __device__ std::size_t operator()(std::uint32_t vector) const {
    const std::uint32_t in_row = vector & ((1u << vectors_log2) - 1),
                        row = vector >> vectors_log2 & ((4u << vectors_log2) - 1),
                        tile = vector >> (2 * vectors_log2 + 2);
    const std::uint32_t columns = 1u << columns_log2, rows = 1u << rows_log2;
    std::uint32_t x = tile & (columns - 1), y = tile >> columns_log2;
    if (diagonal) { // next to each other in time: neither in one row nor in one column
      const std::uint32_t before = x;
      x = (x + y) & (columns - 1);
      y = before & (rows - 1);
    }
    const std::size_t at_x = transposed ? y : x, at_y = transposed ? x : y;
    const unsigned width_log2 = (transposed ? rows_log2 : columns_log2) + vectors_log2;
    return ((at_y << (vectors_log2 + 2) | row) << width_log2) + (at_x << vectors_log2) + in_row;
  }
};

template <class From, class To>
__global__ void __launch_bounds__(threads) copy_runs(const uint4* in, uint4* out, From from, To to) {
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  store_streaming(out + to(i), load_streaming(in + from(i)));
}

template <class From, class To>
__global__ void count_differences(const uint4* out, From from, To to, unsigned long long* differences) {
  const std::uint32_t i = blockIdx.x * threads + threadIdx.x;
  const uint4 got = out[to(i)], want = pattern_vector(from(i));
  if (got.x != want.x || got.y != want.y || got.z != want.z || got.w != want.w) atomicAdd(differences, 1ull);
}

class Bench {
public:
  explicit Bench(Session& session)
      : session_(session), in_(session.buffer_bytes(std::size_t{1} << 30) / sizeof(uint4)), out_(in_.size()),
        differences_(1) {
    fill_pattern(in_.data(), in_.size(), session.stream);
    session.stream.synchronize();
  }

  std::optional<Measurement> shuffled(Report& report, std::size_t bytes, bool reads_runs) {
    const unsigned run_log2 = log2_of(bytes / sizeof(uint4)), runs_log2 = log2_of(in_.size()) - run_log2;
    const Runs to{{runs_log2}, run_log2, 0}, from{to.shuffled, run_log2, 1u << (runs_log2 - 1)};
    return reads_runs ? bandwidth(report, bytes, from, to) : bandwidth(report, bytes, Stream{}, to);
  }
  std::optional<Measurement> tiles(Report& report, std::size_t bytes, bool diagonal) {
    const unsigned row_log2 = log2_of(bytes / sizeof(uint4)),
                   tiles_log2 = log2_of(in_.size()) - 2 * row_log2 - 2;
    const Tiles from{(tiles_log2 + 1) / 2, tiles_log2 / 2, row_log2, false, diagonal};
    Tiles to = from;
    to.transposed = true;
    return bandwidth(report, bytes, from, to);
  }

private:
  static unsigned log2_of(std::size_t power) { return static_cast<unsigned>(std::bit_width(power) - 1); }

  template <class From, class To>
  std::optional<Measurement> bandwidth(Report& report, std::size_t bytes, From from, To to) {
    const auto blocks = static_cast<unsigned>(in_.size() / threads);
    const auto launch = [&](cudaStream_t stream) {
      copy_runs<<<blocks, threads, 0, stream>>>(in_.data(), out_.data(), from, to);
      PERFMODEL_CUDA(cudaGetLastError());
    };
    out_.poison();
    differences_.clear();
    PERFMODEL_CUDA(cudaDeviceSynchronize()); // the stream does not wait for what is done beside it
    launch(session_.stream);
    count_differences<<<blocks, threads, 0, session_.stream>>>(out_.data(), from, to, differences_.data());
    session_.stream.synchronize();
    if (!report.verify(differences_.to_host()[0] == 0, "runs of " + std::to_string(bytes) + " B"))
      return std::nullopt;
    return middle_run(session_, [&] {
      return rate_of(sample(session_, usual(session_), launch), 2 * double(in_.bytes()));
    });
  }

  Session& session_;
  Buffer<uint4> in_, out_;
  Buffer<unsigned long long> differences_;
};

ProbeResult run(Session& session) {
  Report report("DRAM copy by runs", {{"order", {}}, {"run", unit_of<Bytes>()}}, "bandwidth",
                unit_of<BytesPerSecond>());
  Bench bench(session);
  const auto row = [&](const std::string& order, std::int64_t bytes, auto measured) {
    session.say("copy, runs of " + std::to_string(bytes) + " B, " + order);
    const std::optional<Measurement> bandwidth = measured(static_cast<std::size_t>(bytes));
    if (bandwidth) report.row({order, bytes}, *bandwidth, pin_limit(session));
    return bandwidth;
  };
  const auto tiles = [&](std::int64_t bytes, bool diagonal, const char* fact) {
    const auto bandwidth = row(diagonal ? "tiles, diagonally" : "tiles", bytes,
                               [&](std::size_t size) { return bench.tiles(report, size, diagonal); });
    if (bandwidth) report.constant(fact, *bandwidth);
    return bandwidth.has_value();
  };
  if (!tiles(128, false, "sustained.dram.copy_lines") || !tiles(256, false, "sustained.dram.copy_runs") ||
      !tiles(128, true, "sustained.dram.copy_both_lines"))
    return report.take();
  for (const bool reads : {false, true})
    for (std::int64_t bytes = 128; bytes <= (session.quick() ? 256 : 4096); bytes *= 2)
      if (!row(reads ? "shuffled, read and written" : "shuffled, written", bytes,
               [&](std::size_t size) { return bench.shuffled(report, size, reads); }))
        return report.take();
  return report.take();
}

} // namespace
} // namespace run_copy_probe

extern const Probe run_copy{
    .name = "run-copy",
    .order = 350,
    .measures =
        "DRAM copy bandwidth that is left when tiles are moved, or runs of 128 B to 4 KiB in any order",
    .provides = {"sustained.dram.copy_lines", "sustained.dram.copy_runs", "sustained.dram.copy_both_lines"},
    .run = run_copy_probe::run};

} // namespace perfmodel::kernels
