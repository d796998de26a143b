// The ladder of the matrix product C = A B, n x n: each element read from global memory for every product,
// shared tiles, register tiles, tensor units; cuBLAS as the yardstick. A launch is one product, timed in a
// row of them, so that matrices which fit in L2 are found there. Tensor versions run at the clock that the
// power cap leaves.
#include "kernels/core/counters.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/ladders/graph.hpp"
#include "kernels/probes/ladders/matmul_bench.cuh"
#include "kernels/probes/ladders/matmul_whole_tiles.cuh"
#include "kernels/probes/ladders/middle_count.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::kernels {
namespace {

const std::vector<KeyColumn> keys{{"version", {}}, {"n", {}}, {"tile", {}}};
const std::vector<KeyColumn> library_keys{{"version", {}}, {"n", {}}};
constexpr int course_tile = 16; // the row of a version without a choice of tiles says this, the model's own

struct Point {
  const MatmulVersion& version;
  int tile;
  std::string name(int n) const {
    return std::string(version.name) + ", n " + std::to_string(n) +
           (version.name == "tiled" ? ", tile " + std::to_string(tile) : "");
  }
  // A library chooses its tiles.
  std::vector<Cell> keys(int n) const {
    std::vector<Cell> cells{std::string(version.name), std::int64_t{n}};
    if (!version.of_library) cells.push_back(std::int64_t{tile});
    return cells;
  }
};

// At the smallest size; of others the last two.
constexpr int tiles[] = {2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15, 20, 24, 28, 16, 32};

std::vector<Point> points(int n, bool of_library) {
  std::vector<Point> list;
  for (const MatmulVersion& version : matmul_versions)
    for (const int tile : tiles)
      if (version.of_library == of_library &&
          (tile == course_tile || (version.name == "tiled" && (n <= 1024 || tile == 32))))
        list.push_back({version, tile});
  return list;
}

std::vector<int> sizes(bool quick) { return quick ? std::vector{1024} : std::vector{1024, 4096, 8192}; }

// Whether the bench has this version here; a note says why not.
bool has(MatmulBench& bench, const Point& point, Report& report, bool first) {
  try {
    bench.launch(point.version, point.tile);
    return true;
  } catch (const MachineError& error) {
    if (first) report.note(std::string(point.version.name) + " is left out: " + error.what());
    return false;
  }
}

bool right(MatmulBench& bench, const Point& point, int n, Report& report) {
  const std::string off = bench.wrong(point.version, point.tile);
  return report.verify(off.empty(), point.name(n) + ", " + off);
}

// A single element, a prime, just beyond a tile.
bool odd_sizes_right(Session& session, Report& report, bool of_library) {
  for (const int n : {1, 67, 257}) {
    MatmulBench bench(session, n);
    for (const Point& point : points(n, of_library)) {
      session.say("checking " + point.name(n));
      if (has(bench, point, report, false) && !right(bench, point, n, report)) return false;
    }
  }
  return true;
}

// A millisecond or more in one go: events tick in half microseconds. In a graph, as launching one by one
// takes as long as the shortest of the products.
Measurement rate_of_product(Session& session, const Launch& launch, double flops) {
  const int products = trips_for(session, 1e-3, [&](cudaStream_t stream, int trips) {
    for (int i = 0; i < trips; ++i) launch(stream);
  });
  const Graph graph(session.stream, [&] {
    for (int i = 0; i < products; ++i) launch(session.stream);
  });
  const Repeat repeat{.samples = 11, .warm_up = session.quick() ? 0.02 : 0.1};
  return rate_of(sample(session, repeat, [&](cudaStream_t stream) { graph.launch(stream); }),
                 flops * products);
}

ProbeResult time_all(Session& session, const std::string& title, bool of_library) {
  Report report(title, of_library ? library_keys : keys, "performance", unit_of<FlopsPerSecond>());
  if (!odd_sizes_right(session, report, of_library)) return report.take();
  for (const int n : sizes(session.quick())) {
    MatmulBench bench(session, n);
    for (const Point& point : points(n, of_library)) {
      if (!has(bench, point, report, n == 1024)) continue;
      session.say("matmul: " + point.name(n));
      if (!right(bench, point, n, report)) return report.take();
      report.row(point.keys(n),
                 rate_of_product(session, bench.launch(point.version, point.tile), 2.0 * n * n * n));
    }
  }
  return report.take();
}

ProbeResult run(Session& session) { return time_all(session, "matrix product", false); }
ProbeResult run_library(Session& session) { return time_all(session, "matrix product by a library", true); }

// A pass begins as the one before it left L2. Wavefronts are those that the accesses need, without what the
// data stage repeats. What the copy engine of the tensor versions reads and writes passes by the sectors of
// loads and stores: counted are their blocks that look whether the others have come, more or less often.
ProbeResult count(Session& session) {
  Report report("matrix product, counted", keys,
                {{"fma", {}}, {"sectors", {}}, {"wavefronts", {}}, {"dram_bytes", unit_of<Bytes>()}});
  const std::string wavefronts = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_";
  Counters counters(session, {"sm__sass_thread_inst_executed_op_ffma_pred_on.sum",
                              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                              "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", wavefronts + "ld.sum",
                              wavefronts + "st.sum", "dram__bytes_read.sum", "dram__bytes_write.sum"});
  for (const int n : sizes(session.quick())) {
    MatmulBench bench(session, n);
    for (const Point& point : points(n, false)) {
      if (!has(bench, point, report, n == 1024)) continue;
      session.say("counting: " + point.name(n));
      if (!right(bench, point, n, report)) return report.take();
      const auto launch = [&] { bench.launch(point.version, point.tile)(session.stream); };
      const std::vector<double> counts = middle_count(counters, launch);
      report.row(point.keys(n),
                 {counts[0], counts[1] + counts[2], counts[3] + counts[4], counts[5] + counts[6]});
    }
  }
  return report.take();
}

} // namespace

extern const Probe matmul_library{
    .name = "matmul-library",
    .order = 620,
    .model = "matmul",
    .measures = "rate of the same matrix products by cuBLAS, the yardstick of the ladder",
    .run = run_library};

extern const Probe matmul{
    .name = "matmul",
    .order = 610,
    .model = "matmul",
    .measures = "rate of a matrix product, from one element per thread to the tensor units",
    .run = run,
    .count = count,
    .counts = "FMAs, sectors of global memory, shared wavefronts and DRAM bytes of the same products"};

} // namespace perfmodel::kernels
