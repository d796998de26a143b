// The naive matrix product by the shape of its blocks, columns x rows of threads. A warp of 32 x 1 reads one
// word of A and 128 contiguous bytes of B for each of its products; one of 1 x 32 a column of A, in as many
// sectors as rows, and one word of B. The other warps of a block find the same words in L1.
#include "kernels/core/buffer.hpp"
#include "kernels/core/counters.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/ladders/matmul_operands.cuh"
#include "kernels/probes/ladders/matmul_tiled.cuh"
#include "kernels/probes/ladders/product_check.hpp"

#include <string>

namespace perfmodel::kernels {
namespace matmul_blocks_probe {
namespace {

struct Shape {
  unsigned columns, rows;
  std::string text() const { return std::to_string(columns) + "x" + std::to_string(rows); }
};

// All shapes of 256 threads, and other blocks as wide as a warp or square.
constexpr Shape shapes[] = {{256, 1}, {128, 2}, {64, 4}, {32, 8}, {16, 16}, {8, 32},  {4, 64},
                            {2, 128}, {1, 256}, {32, 2}, {32, 4}, {32, 16}, {32, 32}, {8, 8}};

class Product {
public:
  Product(Session& session, int n) : session_(session), n_(n), a_(words()), b_(words()), c_(words()) {
    fill_uniform<<<1024, 256, 0, session.stream>>>(a_.data(), a_.size(), 1);
    fill_uniform<<<1024, 256, 0, session.stream>>>(b_.data(), b_.size(), 2);
    PERFMODEL_CUDA(cudaGetLastError());
  }

  void launch(const Shape& s) {
    const unsigned n = unsigned(n_);
    const dim3 grid((n + s.columns - 1) / s.columns, (n + s.rows - 1) / s.rows), block(s.columns, s.rows);
    matmul_naive<<<grid, block, 0, session_.stream>>>(a_.data(), b_.data(), c_.data(), n_);
    PERFMODEL_CUDA(cudaGetLastError());
  }

  bool right(const Shape& s, Report& report) {
    c_.poison();
    launch(s);
    const ProductError error = product_error(stored(a_), stored(b_), stored(c_), session_.stream);
    const std::string off = beyond(error, Rounding{}.of_element(n_));
    return report.verify(off.empty(), "n " + std::to_string(n_) + ", block " + s.text() + ", " + off);
  }

  double flops() const { return 2.0 * n_ * n_ * n_; }

private:
  std::size_t words() const { return std::size_t(n_) * n_; }
  StoredMatrix stored(const Buffer<float>& words) const { return {words.data(), Stored::fp32, n_, n_}; }

  Session& session_;
  const int n_;
  Buffer<float> a_, b_, c_;
};

// Calls back with every shape of every size, its answer seen to be right.
template <class Call> void each(Session& session, Report& report, const Call& call) {
  for (const int n : {67, 1024, 4096}) { // 67: cut by every shape, not measured
    if (session.quick() && n > 1024) break;
    Product product(session, n);
    for (const Shape& s : shapes) {
      session.say("naive matmul: n " + std::to_string(n) + ", block " + s.text());
      if (!product.right(s, report)) return;
      if (n != 67) call(product, s, std::vector<Cell>{std::string("naive"), std::int64_t{n}, s.text()});
    }
  }
}

const std::vector<KeyColumn> keys{{"version", {}}, {"n", {}}, {"block", {}}};

ProbeResult run(Session& session) {
  Report report("naive matrix product by block", keys, "performance", unit_of<FlopsPerSecond>());
  each(session, report, [&](Product& product, const Shape& s, const std::vector<Cell>& key) {
    const auto launches = [&](cudaStream_t, int count) {
      for (int i = 0; i < count; ++i) product.launch(s);
    };
    const int products = trips_for(session, 1e-3, launches);
    const Repeat repeat{.samples = 11, .warm_up = 0.02, .watched = 0.004};
    report.row(key, rate_of(sample(session, repeat, [&](cudaStream_t stream) { launches(stream, products); }),
                            product.flops() * products));
  });
  return report.take();
}

// A pass begins as the one before it left L2.
ProbeResult count(Session& session) {
  Report report("naive matrix product by block, counted", keys,
                {{"sectors", {}}, {"dram_bytes", unit_of<Bytes>()}});
  const std::string sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_";
  Counters counters(
      session, {sectors + "ld.sum", sectors + "st.sum", "dram__bytes_read.sum", "dram__bytes_write.sum"});
  each(session, report, [&](Product& product, const Shape& s, const std::vector<Cell>& key) {
    const auto launch = [&] { product.launch(s); };
    const std::vector<double> counts = counters.count(launch, launch);
    report.row(key, std::vector<double>{counts[0] + counts[1], counts[2] + counts[3]});
  });
  return report.take();
}

} // namespace
} // namespace matmul_blocks_probe

extern const Probe matmul_blocks{.name = "matmul-blocks",
                                 .order = 570,
                                 .model = "matmul",
                                 .measures = "rate of the naive matrix product by the shape of its blocks",
                                 .run = matmul_blocks_probe::run,
                                 .count = matmul_blocks_probe::count,
                                 .counts = "sectors of global memory and DRAM bytes of the same products"};

} // namespace perfmodel::kernels
