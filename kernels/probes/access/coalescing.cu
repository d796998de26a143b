// What the pattern of a warp's accesses costs a kernel that is bound by DRAM: loads, stores and copies of
// words of 1 to 16 bytes at every stride, offset and permutation, over arrays that L2 does not hold.
// Bandwidth counts the bytes that the program asked for. The grid fills the arrays; it is no key.
#include "kernels/core/counters.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/pattern_bench.cuh"

namespace perfmodel::kernels {
namespace coalescing_probe {
namespace {

const std::vector<KeyColumn> keys{
    {"access", {}}, {"word", unit_of<Bytes>()}, {"stride", {}}, {"offset", {}}, {"permutation", {}}};

std::vector<Cell> keys_of(const AccessPattern& p) {
  return {std::string(access_names[static_cast<int>(p.access)]), std::int64_t{p.word},
          static_cast<std::int64_t>(p.stride), static_cast<std::int64_t>(p.offset),
          std::string(p.permutation.name)};
}

using Numbers = std::vector<std::size_t>;
Numbers up_to(std::size_t first, std::size_t last) {
  Numbers numbers;
  for (std::size_t n = first; n <= last; ++n) numbers.push_back(n);
  return numbers;
}

// Copies of 4-byte words at every stride and offset, a choice of them for the rest.
std::vector<AccessPattern> patterns(bool quick) {
  std::vector<AccessPattern> list;
  for (const Access access : {Access::copy, Access::load, Access::store}) {
    const bool all = access == Access::copy && !quick;
    const Numbers few =
        quick ? Numbers{1, 2, 8, 32} : Numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 24, 32, 48, 64};
    for (const std::size_t stride : all ? up_to(1, 64) : few)
      list.push_back({.stride = stride, .access = access});
    for (const std::size_t offset : all     ? up_to(1, 32)
                                    : quick ? Numbers{1, 8}
                                            : Numbers{1, 2, 4, 8, 15, 16, 17, 24, 31, 32})
      list.push_back({.offset = offset, .access = access});
    for (const Permutation& permutation : {permutations[1], permutations[2]})
      for (const std::size_t stride : quick ? Numbers{1} : Numbers{1, 2})
        for (const std::size_t offset : quick ? Numbers{0} : Numbers{0, 1})
          list.push_back({.stride = stride, .offset = offset, .permutation = permutation, .access = access});
    for (const int word : {1, 2, 8, 16})
      for (const std::size_t stride : quick ? Numbers{1} : Numbers{1, 2, 3, 4, 8, 16, 32})
        for (const std::size_t offset : quick || stride > 2 ? Numbers{0} : Numbers{0, 1})
          list.push_back({.word = word, .stride = stride, .offset = offset, .access = access});
  }
  return list;
}

double bytes_asked(const AccessPattern& p, std::size_t words) {
  return double(words) * p.word * (p.access == Access::copy ? 2 : 1);
}

std::string name_of(const AccessPattern& p) {
  return std::string(access_names[static_cast<int>(p.access)]) + ", " + std::to_string(p.word) +
         " B, stride " + std::to_string(p.stride) + ", offset " + std::to_string(p.offset) + ", " +
         std::string(p.permutation.name);
}

ProbeResult run(Session& session) {
  Report report("global memory by access pattern", keys, "bandwidth", unit_of<BytesPerSecond>());
  PatternBench bench(session);
  for (const AccessPattern& p : patterns(session.quick())) {
    session.say("coalescing: " + name_of(p));
    if (!report.verify(bench.right(p), name_of(p))) break;
    const std::size_t words = bench.most_words(p);
    const Repeat repeat{.samples = 11, .warm_up = 0.01, .watched = 0.004};
    const Sampled sampled = sample(session, repeat, [&](cudaStream_t) { bench.launch(p, words); });
    report.row(keys_of(p), rate_of(sampled, bytes_asked(p, words)), pin_limit(session));
  }
  return report.take();
}

// DRAM's bytes are those per byte that the program asked for. A pass begins as the one before it left L2, so
// that what L2 keeps back at the end comes out of it at the start.
ProbeResult count(Session& session) {
  Report report("global memory by access pattern, counted", keys,
                {{"transactions_per_request", {}}, {"dram_bytes", {}}});
  PatternBench bench(session);
  const std::string loads = "_pipe_lsu_mem_global_op_ld.sum", stores = "_pipe_lsu_mem_global_op_st.sum";
  Counters counters(session,
                    {"l1tex__t_sectors" + loads, "l1tex__t_sectors" + stores, "l1tex__t_requests" + loads,
                     "l1tex__t_requests" + stores, "dram__bytes_read.sum", "dram__bytes_write.sum"});
  for (const AccessPattern& p : patterns(session.quick())) {
    session.say("counting: " + name_of(p));
    if (!report.verify(bench.right(p), name_of(p))) break;
    const std::size_t words = bench.most_words(p);
    const auto launch = [&] { bench.launch(p, words); };
    const std::vector<double> counts = counters.count(launch, launch);
    const double sectors = counts[0] + counts[1], requests = counts[2] + counts[3];
    const double wanted = double(words) / 32 * (p.access == Access::copy ? 2 : 1);
    if (!report.verify(requests == wanted, name_of(p) + ": requests counted")) break;
    const double asked = bytes_asked(p, words);
    report.row(keys_of(p), {sectors / requests, (counts[4] + counts[5]) / asked});
  }
  return report.take();
}

} // namespace
} // namespace coalescing_probe

extern const Probe coalescing{
    .name = "coalescing",
    .order = 380,
    .model = "coalescing",
    .measures = "bandwidth of loads, stores and copies by stride, offset, permutation and word",
    .run = coalescing_probe::run,
    .count = coalescing_probe::count,
    .counts = "sectors per request and DRAM bytes per byte asked for, of the same accesses"};

} // namespace perfmodel::kernels
