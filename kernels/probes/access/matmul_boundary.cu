// The boundary checks of a tiled matrix product, M x N of width x width with a thread per element, in the
// kernel itself. run: the warps vote on each check in each phase. count: the checked load is a call, so that
// the compiler must branch, and the hardware counts the branches that part a warp.
// Checked in SASS (sm_90): the call stands between BSSY and BSYNC; the other operand's load is
// predicated, as a compiler does with loads as short as these, and so is the exit of threads that have no
// result to store.
#include "kernels/core/buffer.hpp"
#include "kernels/core/counters.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace perfmodel::kernels {
namespace matmul_boundary_probe {
namespace {

enum class Branching { none, load_m, load_n };

struct Votes {
  unsigned long long steps, m, n, either;
};

__device__ __noinline__ float fetch(const float* from) { return *from; }

__device__ inline unsigned parted(bool taken) {
  const unsigned lanes = __ballot_sync(~0u, taken);
  return lanes != 0 && lanes != ~0u;
}

// A block is tile x tile threads, whole warps.
template <int tile, Branching branching, bool vote>
__global__ void __launch_bounds__(tile* tile)
    multiply(const float* m, const float* n, float* p, int width, Votes* votes) {
  __shared__ float m_tile[tile][tile], n_tile[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, col = blockIdx.x * tile + x;
  float sum = 0;
  unsigned m_votes = 0, n_votes = 0, either = 0, steps = 0;
#pragma unroll 1 // a remainder of an unrolled loop may branch where the loop does not
  for (int first = 0; first < width; first += tile) {
    const bool in_m = row < width && first + x < width, in_n = first + y < width && col < width;
    const float* const from_m = m + row * width + first + x;
    const float* const from_n = n + (first + y) * width + col;
    m_tile[y][x] = !in_m ? 0 : branching == Branching::load_m ? fetch(from_m) : *from_m;
    n_tile[y][x] = !in_n ? 0 : branching == Branching::load_n ? fetch(from_n) : *from_n;
    if constexpr (vote) {
      const unsigned of_m = parted(in_m), of_n = parted(in_n);
      m_votes += of_m, n_votes += of_n, either += of_m | of_n, ++steps;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < tile; ++k) sum += m_tile[y][k] * n_tile[k][x];
    __syncthreads();
  }
  if (row < width && col < width) p[row * width + col] = sum;
  if constexpr (vote) {
    if ((y * tile + x) % 32 == 0) {
      atomicAdd(&votes->steps, steps);
      atomicAdd(&votes->m, m_votes);
      atomicAdd(&votes->n, n_votes);
      atomicAdd(&votes->either, either);
    }
  }
}

struct Product {
  int width, tile;
  std::string name() const { return "width " + std::to_string(width) + ", tile " + std::to_string(tile); }
};
std::vector<Product> products(bool quick) {
  if (quick) return {{100, 16}};
  return {{100, 16}, {1000, 16}, {1024, 16}, {100, 32}, {1000, 32}, {100, 8}, {1000, 8}, {33, 16}, {49, 8}};
}

std::vector<Cell> keys_of(const Product& product, const char* branch) {
  return {std::string("matmul-boundary"), std::int64_t{product.width}, std::int64_t{product.tile},
          std::string(branch)};
}
const std::vector<KeyColumn> keys{{"kernel", {}}, {"width", {}}, {"tile", {}}, {"branch", {}}};

class Bench {
public:
  Bench(Session& session, int width)
      : session_(session), width_(width), m_(small_numbers(width, 7)), n_(small_numbers(width, 5)),
        p_(m_.size()) {
    p_.poison();
  }

  template <Branching branching, bool vote> void launch(int tile, Votes* votes) {
    switch (tile) {
    case 8:
      return enqueue<8, branching, vote>(votes);
    case 16:
      return enqueue<16, branching, vote>(votes);
    default:
      return enqueue<32, branching, vote>(votes);
    }
  }

  // Every 13th row; all numbers are small and whole, so that no sum is rounded.
  bool right() const {
    const std::vector<float> m = small_numbers(width_, 7), n = small_numbers(width_, 5), got = p_.to_host();
    const auto width = static_cast<std::size_t>(width_);
    for (std::size_t row = 0; row < width; row += 13) {
      std::vector<float> want(width);
      for (std::size_t k = 0; k < width; ++k)
        for (std::size_t col = 0; col < width; ++col) want[col] += m[row * width + k] * n[k * width + col];
      if (!std::equal(want.begin(), want.end(), got.begin() + static_cast<std::ptrdiff_t>(row * width)))
        return false;
    }
    return true;
  }

private:
  static std::vector<float> small_numbers(int width, int period) {
    std::vector<float> numbers(static_cast<std::size_t>(width) * static_cast<std::size_t>(width));
    for (std::size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = float(static_cast<int>(i % static_cast<std::size_t>(period)) - period / 2);
    return numbers;
  }
  template <int tile, Branching branching, bool vote> void enqueue(Votes* votes) {
    const auto side = static_cast<unsigned>((width_ + tile - 1) / tile);
    multiply<tile, branching, vote><<<dim3(side, side), dim3(tile, tile), 0, session_.stream>>>(
        m_.data(), n_.data(), p_.data(), width_, votes);
    PERFMODEL_CUDA(cudaGetLastError());
  }

  Session& session_;
  int width_;
  Buffer<float> m_, n_, p_;
};

ProbeResult run(Session& session) {
  Report report("boundary checks of a tiled matrix product, voted", keys,
                {{"divergent", {}}, {"warp_steps", {}}});
  for (const Product& product : products(session.quick())) {
    session.say("boundary checks: " + product.name());
    Bench bench(session, product.width);
    Buffer<Votes> votes(1);
    votes.clear();
    bench.launch<Branching::none, true>(product.tile, votes.data());
    session.stream.synchronize();
    if (!report.verify(bench.right(), product.name())) break;
    const Votes seen = votes.to_host()[0];
    const auto steps = double(seen.steps);
    report.row(keys_of(product, "load of M"), {double(seen.m), steps});
    report.row(keys_of(product, "load of N"), {double(seen.n), steps});
    report.row(keys_of(product, "either load"), {double(seen.either), steps});
  }
  return report.take();
}

ProbeResult count(Session& session) {
  Report report("boundary checks of a tiled matrix product, counted", keys, {{"divergent", {}}});
  for (const Product& product : products(session.quick())) {
    session.say("counting boundary checks: " + product.name());
    Bench bench(session, product.width);
    Counters counters(session, {"smsp__sass_branch_targets_threads_divergent.sum"});
    const auto m = counters.count([&] { bench.launch<Branching::load_m, false>(product.tile, nullptr); });
    if (!report.verify(bench.right(), product.name() + ", M")) break;
    const auto n = counters.count([&] { bench.launch<Branching::load_n, false>(product.tile, nullptr); });
    if (!report.verify(bench.right(), product.name() + ", N")) break;
    report.row(keys_of(product, "load of M"), m);
    report.row(keys_of(product, "load of N"), n);
  }
  return report.take();
}

} // namespace
} // namespace matmul_boundary_probe

extern const Probe matmul_boundary{
    .name = "matmul-boundary",
    .order = 290,
    .model = "divergence",
    .measures = "warps that the boundary checks of a tiled matrix product part, by their votes",
    .run = matmul_boundary_probe::run,
    .count = matmul_boundary_probe::count,
    .counts = "branches of a tiled matrix product's boundary checks that part a warp"};

} // namespace perfmodel::kernels
