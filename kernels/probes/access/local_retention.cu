// What L1 still has of arrays of the threads' own, in local memory, whose index is known only when the kernel
// runs. Each thread adds to the words of its array in turn, the lanes of a warp to different words, so that
// an access goes to as many lines. Arrays of so many words that those of all threads of an SM are 64 to 224
// KiB; nothing keeps warps in step. How much of what is loaded L1 had lost by then is counted.
#include "share_lost.hpp"

#include "kernels/core/buffer.hpp"
#include "kernels/core/counters.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include <string>
#include <utility>
#include <vector>

namespace perfmodel::kernels {
namespace local_retention_probe {
namespace {

constexpr unsigned threads = 128, additions = 200, stride = 5, rounds = 2; // of the blocks that an SM holds

template <unsigned words>
__global__ void __launch_bounds__(threads) add_to_own(unsigned times, unsigned* out) {
  const unsigned i = blockIdx.x * threads + threadIdx.x;
  unsigned own[words];
#pragma unroll 1
  for (unsigned k = 0; k < words; ++k) own[k] = 0;
  unsigned at = i % words;
#pragma unroll 1
  for (unsigned n = 0; n < times; ++n) {
    own[at] += n;
    at = (at + stride) % words;
  }
  unsigned sum = 0;
#pragma unroll 1
  for (unsigned k = 0; k < words; ++k) sum += own[k];
  out[i] = sum;
}

struct Arrays {
  unsigned words = 0;
  void (*kernel)(unsigned, unsigned*) = nullptr;
};

template <unsigned... words> std::vector<Arrays> arrays_of() { return {{words, add_to_own<words>}...}; }

class Own {
public:
  explicit Own(Session& session)
      : session_(session),
        resident_(unsigned(session.device.properties.maxThreadsPerMultiProcessor) / threads),
        blocks_(resident_ * rounds * unsigned(session.device.sm_count())),
        out_(std::size_t{blocks_} * threads) {}

  static std::vector<Arrays> all(bool quick) {
    return quick ? arrays_of<8, 28>() : arrays_of<8, 12, 16, 18, 20, 22, 24, 26, 28>();
  }
  std::int64_t footprint(const Arrays& of) const { // of an SM
    return std::int64_t{resident_} * threads * of.words * std::int64_t{sizeof(unsigned)};
  }
  double all_additions() const { return double(blocks_) * threads * additions; }
  void add(const Arrays& of) {
    of.kernel<<<blocks_, threads, 0, session_.stream>>>(additions, out_.data());
    PERFMODEL_CUDA(cudaGetLastError());
  }
  bool right(const Arrays& of) {
    add(of);
    session_.stream.synchronize();
    for (const unsigned sum : out_.to_host())
      if (sum != additions * (additions - 1) / 2) return false;
    return true;
  }

private:
  Session& session_;
  unsigned resident_, blocks_;
  Buffer<unsigned> out_;
};

const std::vector<KeyColumn> keys{{"footprint", unit_of<Bytes>()}};

std::string name_of(const Arrays& of) { return "arrays of " + std::to_string(of.words) + " words"; }

ProbeResult run(Session& session) {
  Report report("additions to words of arrays in local memory", keys, "rate", unit_of<PerSecond>());
  Own own(session);
  for (const Arrays& of : Own::all(session.quick())) {
    session.say(name_of(of));
    if (!report.verify(own.right(of), name_of(of))) break;
    const auto launch = [&](cudaStream_t) { own.add(of); };
    report.row({own.footprint(of)}, rate_of(sample(session, usual(session), launch), own.all_additions()));
  }
  return report.take();
}

ProbeResult count(Session& session) {
  session.say("counting: what L1 has lost of arrays in local memory");
  Report report("share of what is loaded of local memory that L1 had lost", keys, {{"lost", {}}});
  Own own(session);
  Counters counters(session, {"l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
                              "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum"});
  std::vector<std::pair<double, double>> lost;
  for (const Arrays& of : Own::all(session.quick())) {
    if (!report.verify(own.right(of), name_of(of))) break;
    const std::vector<double> sectors = counters.count([&] { own.add(of); });
    lost.emplace_back(double(own.footprint(of)), 1 - sectors[1] / sectors[0]);
    report.row({own.footprint(of)}, {lost.back().second});
  }
  if (const auto little = footprint_at(0.05, lost)) report.constant("l1.own_twentieth_lost", {{*little}, {}});
  if (const auto fifth = footprint_at(0.2, lost)) report.constant("l1.own_fifth_lost", {{*fifth}, {}});
  return report.take();
}

} // namespace
} // namespace local_retention_probe

extern const Probe local_retention{.name = "local-retention",
                                   .order = 433,
                                   .measures = "additions to arrays in local memory, in L1 or not",
                                   .provides = {"l1.own_twentieth_lost", "l1.own_fifth_lost"},
                                   .run = local_retention_probe::run,
                                   .count = local_retention_probe::count,
                                   .counts = "what L1 has lost of arrays in local memory"};

} // namespace perfmodel::kernels
