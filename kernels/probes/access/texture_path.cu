// What reading through textures gains or costs: bandwidth of plain loads, __ldg, tex1Dfetch and tex2D in the
// same patterns, over a matrix that L2 does not hold. In one dimension word g * stride + offset; in two
// blocks of 32 x 8 and 16 x 16 threads that read along rows or, swapped, along columns.
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/access/texture_reads.cuh"

#include <string>

namespace perfmodel::kernels {
namespace texture_path_probe {
namespace {

constexpr unsigned threads = 256, each = 8; // words of a thread, all in flight

struct Reads {
  unsigned stride = 1, offset = 0; // in one dimension
  unsigned rows = 1;               // of a block; more than 1: in two dimensions
  bool swapped = false;
  int word = 4;
};

// Word number of the thread's k-th read of 4 bytes, or 16 bytes.
template <ReadPath path, typename Word>
__global__ void __launch_bounds__(threads)
    read_matrix(TextureView view, Reads reads, std::uint32_t* total, bool report) {
  if (sizeof(Word) == sizeof(uint4)) view.width_log2 -= 2;
  const unsigned mask = (1U << view.width_log2) - 1;
  Word v[each];
  if (reads.rows == 1) {
    const unsigned g = blockIdx.x * threads * each + threadIdx.x;
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
      const unsigned i = (g + k * threads) * reads.stride + reads.offset;
      v[k] = read_word<path, Word>(view, i & mask, i >> view.width_log2);
    }
  } else {
    const unsigned column = blockIdx.x * blockDim.x + threadIdx.x,
                   row = (blockIdx.y * each) * reads.rows + threadIdx.y;
#pragma unroll
    for (unsigned k = 0; k < each; ++k) {
      const unsigned y = row + k * reads.rows;
      v[k] = reads.swapped ? read_word<path, Word>(view, y, column) : read_word<path, Word>(view, column, y);
    }
  }
  std::uint32_t sum = 0;
#pragma unroll
  for (unsigned k = 0; k < each; ++k) sum += sum_of(v[k]);
  if (report || sum == 0xDEADBEEF) atomicAdd(total, sum);
}

class PathBench {
public:
  explicit PathBench(Session& session)
      : session_(session), matrix_(session, session.quick() ? 12 : 14), total_(1) {}

  std::size_t width() const { return matrix_.width(); }
  double bytes(const Reads& r) const { return static_cast<double>(words(r)) * r.word; }

  void launch(ReadPath path, const Reads& r, bool report = false) {
    switch (path) {
    case ReadPath::global:
      return with_word<ReadPath::global>(r, report);
    case ReadPath::ldg:
      return with_word<ReadPath::ldg>(r, report);
    case ReadPath::tex1d:
      return with_word<ReadPath::tex1d>(r, report);
    case ReadPath::tex2d:
      return enqueue<ReadPath::tex2d, unsigned>(r, report);
    }
  }

  // Whether the sum of all words is right: one that is read instead of another changes it.
  bool right(ReadPath path, const Reads& r) {
    total_.clear();
    launch(path, r, true);
    session_.stream.synchronize();
    std::uint32_t want = 0;
    if (r.stride == 1 && r.offset == 0) {
      want = pattern_sum(0, words(r) * static_cast<std::size_t>(r.word / 4));
    } else {
      for (std::size_t g = 0; g < words(r); ++g) want += pattern_sum(g * r.stride + r.offset, 1);
    }
    return total_.to_host()[0] == want;
  }

private:
  std::size_t words(const Reads& r) const {
    const std::size_t all = matrix_.width() * matrix_.width() * 4 / static_cast<std::size_t>(r.word);
    const std::size_t block = std::size_t{threads} * each;
    return (all - r.offset) / r.stride / block * block;
  }
  template <ReadPath path> void with_word(const Reads& r, bool report) {
    if (r.word == 16) return enqueue<path, uint4>(r, report);
    enqueue<path, unsigned>(r, report);
  }
  template <ReadPath path, typename Word> void enqueue(const Reads& r, bool report) {
    dim3 grid(static_cast<unsigned>(words(r) / (threads * each))), block(threads);
    if (r.rows > 1) {
      block = dim3(threads / r.rows, r.rows);
      grid = dim3(static_cast<unsigned>(matrix_.width()) / block.x,
                  static_cast<unsigned>(matrix_.width()) / (each * r.rows));
    }
    read_matrix<path, Word><<<grid, block, 0, session_.stream>>>(matrix_.view(), r, total_.data(), report);
    PERFMODEL_CUDA(cudaGetLastError());
  }

  Session& session_;
  TextureMatrix matrix_;
  Buffer<std::uint32_t> total_;
};

std::vector<Reads> patterns(bool quick) {
  std::vector<Reads> list{{}, {.offset = 1}, {.stride = 2}, {.stride = 8}};
  if (!quick)
    for (const unsigned stride : {3U, 4U, 16U, 32U}) list.push_back({.stride = stride});
  for (const unsigned rows : {8U, 16U})
    for (const bool swapped : {false, true}) list.push_back({.rows = rows, .swapped = swapped});
  list.push_back({.word = 16});
  return list;
}

// A launch of a model is shorter; it stands for one of any length.
std::vector<Cell> keys_of(ReadPath path, const Reads& r, std::size_t width) {
  std::string index, block = std::to_string(threads), grid = "128";
  if (r.rows > 1) {
    index = r.swapped ? "col*" + std::to_string(width) + " + row" : "row*" + std::to_string(width) + " + col";
    block = std::to_string(threads / r.rows) + "x" + std::to_string(r.rows);
    grid = "128x64";
  }
  return {std::string(name_of(path)),
          std::int64_t{r.word},
          std::int64_t{r.stride},
          std::int64_t{r.offset},
          index,
          block,
          grid,
          static_cast<std::int64_t>(width)};
}

ProbeResult run(Session& session) {
  Report report("reads by path",
                {{"path", {}},
                 {"word", unit_of<Bytes>()},
                 {"stride", {}},
                 {"offset", {}},
                 {"index", {}},
                 {"block", {}},
                 {"grid", {}},
                 {"pitch", {}}},
                "bandwidth", unit_of<BytesPerSecond>());
  PathBench bench(session);
  for (const Reads& r : patterns(session.quick()))
    for (const ReadPath path : read_paths) {
      if (r.word == 16 && path == ReadPath::tex2d) continue;
      const std::string name = std::string(name_of(path)) + ", stride " + std::to_string(r.stride) +
                               ", rows " + std::to_string(r.rows) + (r.swapped ? ", swapped" : "");
      session.say("texture path: " + name);
      if (!report.verify(bench.right(path, r), name)) return report.take();
      const Sampled sampled = sample(session, {.samples = 11, .warm_up = 0.01, .watched = 0.004},
                                     [&](cudaStream_t) { bench.launch(path, r); });
      report.row(keys_of(path, r, bench.width()), rate_of(sampled, bench.bytes(r)), pin_limit(session));
    }
  return report.take();
}

} // namespace
} // namespace texture_path_probe

extern const Probe texture_path{
    .name = "texture-path",
    .order = 442,
    .model = "coalescing",
    .measures = "bandwidth of plain loads, __ldg, tex1Dfetch and tex2D in the same patterns",
    .run = texture_path_probe::run};

} // namespace perfmodel::kernels
