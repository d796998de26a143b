// What warps lose when their lanes part: a switch of up to 32 ways, an if with an else, and loops that the
// lanes leave at different times. A piece of work is 2048 dependent FMAs. The SM is full of warps: what
// counts is the instructions issued. Slowdown: over warps of which every lane does the mean work, in one way.
#include "kernels/core/buffer.hpp"
#include "kernels/core/counters.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/branch_ways.cuh"
#include "kernels/probes/concurrency/steady_cycles.cuh"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace perfmodel::kernels {
namespace divergence_probe {
namespace {

using namespace divergence_work;

// Expressions of the model's language, and what C++ makes of them.
struct Work {
  std::string predicate = "1", path = "0", trips = "1";
  std::function<int(int tid)> way = [](int) { return 0; };
  std::function<int(int tid)> pieces = [](int) { return 1; };

  std::string name() const { return "if " + predicate + ", path " + path + ", trips " + trips; }
  double mean_pieces() const {
    double sum = 0;
    for (int tid = 0; tid < threads; ++tid) sum += pieces(tid);
    return sum / threads;
  }
  float expected(int tid, int trips_of_all) const {
    float x = float(tid) / threads;
    for (int trip = 0; trip < trips_of_all; ++trip) {
      const int place = place_of(tid, trip);
      for (int i = 0; i < pieces(place) * usual_rounds * chain; ++i)
        x = std::fma(x, factor, addend(way(place)));
    }
    return x;
  }
};

std::vector<Work> every_work(bool quick) {
  std::vector<Work> list;
  const auto path = [&](std::string text, std::function<int(int)> way) {
    list.push_back({.path = std::move(text), .way = std::move(way)});
  };
  const auto branch = [&](std::string text, std::function<bool(int)> taken) {
    list.push_back({.predicate = std::move(text), .way = [taken](int tid) { return taken(tid) ? 0 : 1; }});
  };
  const auto trips = [&](std::string text, std::function<int(int)> pieces) {
    list.push_back({.trips = std::move(text), .pieces = std::move(pieces)});
  };
  for (int k = 2; k <= 32; k += quick ? 10 : 1)
    path("lane % " + std::to_string(k), [k](int tid) { return tid % 32 % k; });
  branch("lane < 7", [](int tid) { return tid % 32 < 7; });
  trips("lane % 4 + 1", [](int tid) { return tid % 32 % 4 + 1; });
  if (quick) return list;
  path("lane / 16", [](int tid) { return tid % 32 / 16; });
  path("lane / 8", [](int tid) { return tid % 32 / 8; });
  path("lane / 4", [](int tid) { return tid % 32 / 4; });
  path("lane < 5 ? lane : 5", [](int tid) { return std::min(tid % 32, 5); });
  path("lane * lane % 32", [](int tid) { return tid % 32 * (tid % 32) % 32; });
  // Ways that whole warps take, and ways in which some warps part and others do not.
  path("tid / 32 % 2", [](int tid) { return tid / 32 % 2; });
  path("tid / 32 % 8", [](int tid) { return tid / 32 % 8; });
  path("tid % 44 / 11", [](int tid) { return tid % 44 / 11; });
  path("tid % 100 / 25", [](int tid) { return tid % 100 / 25; });
  path("tid / 24 % 32", [](int tid) { return tid / 24 % 32; });
  branch("lane % 2 == 0", [](int tid) { return tid % 2 == 0; });
  branch("tid % 64 < 32", [](int tid) { return tid % 64 < 32; });
  branch("tid % 100 < 50", [](int tid) { return tid % 100 < 50; });
  branch("tid < 500", [](int tid) { return tid < 500; });
  trips("lane + 1", [](int tid) { return tid % 32 + 1; });
  trips("lane == 0 ? 16 : 1", [](int tid) { return tid % 32 == 0 ? 16 : 1; });
  trips("lane < 16 ? 6 : 7", [](int tid) { return tid % 32 < 16 ? 6 : 7; });
  trips("tid / 32 % 4 + 1", [](int tid) { return tid / 32 % 4 + 1; });
  trips("tid % 100 / 10 + 1", [](int tid) { return tid % 100 / 10 + 1; });
  return list;
}

class Bench {
public:
  explicit Bench(Session& session)
      : session_(session), blocks_(session.device.sm_count()), work_of_(threads),
        out_(std::size_t(blocks_) * threads), spans_(std::size_t(blocks_)) {}

  void set(const Work& work) {
    std::vector<uchar2> of;
    for (int tid = 0; tid < threads; ++tid)
      of.push_back({static_cast<unsigned char>(work.way(tid)), static_cast<unsigned char>(work.pieces(tid))});
    work_of_.copy_from(of.data(), of.size());
  }

  bool right(const Work& work) {
    constexpr int trips = 2;
    out_.poison();
    launch(blocks_, usual_rounds, trips);
    session_.stream.synchronize();
    const std::vector<float> got = out_.to_host();
    for (std::size_t i = 0; i < got.size(); ++i)
      if (got[i] != (i < threads ? work.expected(static_cast<int>(i), trips) : got[i % threads]))
        return false;
    return true;
  }

  Measurement cycles() {
    return cycles_per_trip(session_, spans_, 1, [&](int trips) { launch(blocks_, usual_rounds, trips); });
  }

  void launch(int blocks, int piece_rounds, int trips) {
    branch_ways<<<blocks, threads, 0, session_.stream>>>(work_of_.data(), piece_rounds, out_.data(), trips,
                                                         spans_.data());
    PERFMODEL_CUDA(cudaGetLastError());
  }

private:
  Session& session_;
  int blocks_;
  Buffer<uchar2> work_of_;
  Buffer<float> out_;
  Buffer<BlockSpan> spans_;
};

const std::vector<KeyColumn> keys{{"block", {}}, {"if", {}}, {"path", {}}, {"trips", {}}};

std::vector<Cell> keys_of(const Work& work) {
  return {std::to_string(threads), work.predicate, work.path, work.trips};
}

ProbeResult run(Session& session) {
  Report report("lanes of a warp that part", keys, "slowdown", {"", {}});
  Bench bench(session);
  bench.set({});
  const double piece = bench.cycles().median();
  for (const Work& work : every_work(session.quick())) {
    session.say("divergence: " + work.name());
    bench.set(work);
    if (!report.verify(bench.right(work), work.name())) break;
    Measurement slowdown = bench.cycles();
    for (double& value : slowdown.values) value /= piece * work.mean_pieces();
    report.row(keys_of(work), slowdown);
  }
  return report.take();
}

// What pieces of twice the length execute beyond single ones is the pieces' own loop.
ProbeResult count(Session& session) {
  Report report("lanes of a warp that part, counted", keys, {{"threads_per_instruction", {}}});
  Bench bench(session);
  Counters counters(session, {"smsp__thread_inst_executed.sum", "smsp__inst_executed.sum"});
  constexpr int trips = 32; // every warp has been in every place
  for (const Work& work : every_work(session.quick())) {
    session.say("counting: " + work.name());
    bench.set(work);
    if (!report.verify(bench.right(work), work.name())) break;
    const auto once = counters.count([&] { bench.launch(1, usual_rounds, trips); });
    const auto twice = counters.count([&] { bench.launch(1, 2 * usual_rounds, trips); });
    report.row(keys_of(work), {(twice[0] - once[0]) / (twice[1] - once[1])});
  }
  return report.take();
}

} // namespace
} // namespace divergence_probe

extern const Probe divergence{
    .name = "divergence",
    .order = 280,
    .model = "divergence",
    .measures = "slowdown of warps whose lanes take different ways or trips",
    .run = divergence_probe::run,
    .count = divergence_probe::count,
    .counts = "threads per instruction of warps whose lanes take different ways or trips"};

} // namespace perfmodel::kernels
