// Suffix sums in a block: what a launch of blocks takes, and the cycles of one scan by a block that has an SM
// to itself, many scans less half as many. Every version is checked but the unsynchronised one, whose times
// say what synchronisation costs; how many of its sums are wrong is noted. Checked in SASS (sm_90): the steps
// are loops of 10 to 16 instructions, two LDS, one STS and the barriers of their version; `warps` is 10 SHFL
// and one barrier.
#include "kernels/core/buffer.hpp"
#include "kernels/core/counters.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/residency.hpp"
#include "kernels/core/sm_span.cuh"
#include "kernels/probes/ladders/in_a_row.hpp"
#include "kernels/probes/ladders/suffix_sums.cuh"

#include "models/core/statistics.hpp"

namespace perfmodel::kernels {
namespace {

extern __shared__ unsigned words[];

// Every block its n numbers, in place.
template <Scan how> __global__ void __launch_bounds__(1024) scan_once(unsigned* numbers, unsigned n) {
  const unsigned t = threadIdx.x;
  unsigned* const at = numbers + std::size_t{blockIdx.x} * n + t;
  const unsigned sum = suffix_sum<how>(t < n ? *at : 0, n, words, false);
  if (t < n) *at = sum;
}

// The same again and again, from register to register: what a scan costs beside the block around it.
template <Scan how>
__global__ void __launch_bounds__(1024)
    scan_again(unsigned* numbers, unsigned n, int trips, BlockSpan* spans) {
  const unsigned t = threadIdx.x;
  unsigned* const at = numbers + std::size_t{blockIdx.x} * n + t;
  unsigned sum = t < n ? *at : 0;
  span_start(spans);
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) sum = suffix_sum<how>(sum, n, words, trip % 2 != 0);
  span_stop(spans);
  if (t < n) *at = sum;
}

using Once = void(unsigned*, unsigned);
using Again = void(unsigned*, unsigned, int, BlockSpan*);

template <template <Scan> class Kernel> auto of(Scan scan) {
  switch (scan) {
  case Scan::two_barriers:
    return Kernel<Scan::two_barriers>::get();
  case Scan::two_buffers:
    return Kernel<Scan::two_buffers>::get();
  case Scan::unsynchronised:
    return Kernel<Scan::unsynchronised>::get();
  default:
    return Kernel<Scan::warps>::get();
  }
}
template <Scan how> struct OnceOf {
  static Once* get() { return &scan_once<how>; }
};
template <Scan how> struct AgainOf {
  static Again* get() { return &scan_again<how>; }
};

unsigned threads_of(unsigned n) { return (n + 31) / 32 * 32; }
std::size_t shared_of(Scan scan, unsigned n) { return scan_words(scan, threads_of(n)) * sizeof(unsigned); }

// Numbers that tell a missing or doubled one from the right sum; sums wrap.
std::vector<unsigned> numbers_of(std::size_t count) {
  std::vector<unsigned> numbers(count);
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<unsigned>(i) * 2654435761u + 1;
  return numbers;
}

// How many of the sums are wrong after `times` scans of blocks of n.
std::size_t wrong_sums(const std::vector<unsigned>& found, unsigned n, int times) {
  std::vector<unsigned> right = numbers_of(found.size());
  for (std::size_t first = 0; first < right.size(); first += n)
    for (int time = 0; time < times; ++time)
      for (std::size_t i = n - 1; i > 0; --i) right[first + i - 1] += right[first + i];
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < right.size(); ++i) wrong += found[i] != right[i] ? 1 : 0;
  return wrong;
}

std::string name_of(Scan scan, unsigned n) {
  return "suffix sums: " + std::string(scan_names[static_cast<std::size_t>(scan)]) + ", n " +
         std::to_string(n);
}

std::vector<Scan> scans() {
  return {Scan::two_barriers, Scan::two_buffers, Scan::unsynchronised, Scan::warps};
}

// Those that are timed: whole warps, and two numbers that fill none.
std::vector<unsigned> lengths(bool quick) {
  if (quick) return {32, 1024};
  return {32, 64, 100, 128, 256, 512, 997, 1024};
}

// A launch of `blocks` blocks.
class Launched {
public:
  Launched(Session& session, Scan scan, unsigned n, unsigned blocks)
      : session_(session), scan_(scan), n_(n), blocks_(blocks),
        numbers_(numbers_of(std::size_t{n} * blocks)) {}

  void enqueue() {
    of<OnceOf>(scan_)<<<blocks_, threads_of(n_), shared_of(scan_, n_), session_.stream>>>(numbers_.data(),
                                                                                          n_);
    PERFMODEL_CUDA(cudaGetLastError());
  }
  // After one launch on fresh numbers.
  std::size_t wrong() {
    const std::vector<unsigned> fresh = numbers_of(numbers_.size());
    numbers_.copy_from(fresh.data(), fresh.size());
    enqueue();
    session_.stream.synchronize();
    return wrong_sums(numbers_.to_host(), n_, 1);
  }

private:
  Session& session_;
  Scan scan_;
  unsigned n_, blocks_;
  Buffer<unsigned> numbers_;
};

const std::vector<KeyColumn> keys{{"version", {}}, {"n", {}}, {"blocks", {}}};

// Calls back with the keys of a row and the launch that they name. One block, and sixteen for every SM.
template <class Each> void each(Session& session, Report& report, bool notes, const Each& call) {
  for (const unsigned n : {1u, 2u, 3u, 31u, 33u, 1023u})
    for (const Scan scan : scans())
      if (scan != Scan::unsynchronised &&
          !report.verify(Launched(session, scan, n, 3).wrong() == 0, name_of(scan, n)))
        return;
  for (const unsigned blocks : {1u, 16u * static_cast<unsigned>(session.device.sm_count())})
    for (const unsigned n : lengths(session.quick()))
      for (const Scan scan : scans()) {
        session.say(name_of(scan, n) + ", blocks " + std::to_string(blocks));
        Launched launched(session, scan, n, blocks);
        const std::size_t wrong = launched.wrong();
        if (scan == Scan::unsynchronised && notes)
          report.note(name_of(scan, n) + ", blocks " + std::to_string(blocks) + ": " + std::to_string(wrong) +
                      " of " + std::to_string(std::size_t{n} * blocks) + " sums came out wrong");
        if (scan != Scan::unsynchronised && !report.verify(wrong == 0, name_of(scan, n))) return;
        call({std::string(scan_names[static_cast<std::size_t>(scan)]), std::int64_t{n}, std::int64_t{blocks}},
             [&] { launched.enqueue(); });
      }
}

ProbeResult run(Session& session) {
  Report report("suffix sums in a block", keys, "time", unit_of<Seconds>());
  each(session, report, true, [&](const std::vector<Cell>& key, const std::function<void()>& launch) {
    report.row(key, seconds_in_a_row(session, launch));
  });
  return report.take();
}

ProbeResult count(Session& session) {
  Report report("suffix sums in a block, counted", keys, {{"wavefronts", {}}, {"instructions", {}}});
  const std::string wavefronts = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_";
  Counters counters(session, {wavefronts + "ld.sum", wavefronts + "st.sum", "smsp__inst_executed.sum"});
  each(session, report, false, [&](const std::vector<Cell>& key, const std::function<void()>& launch) {
    const std::vector<double> c = counters.count(launch, launch);
    report.row(key, std::vector<double>{c[0] + c[1], c[2]});
  });
  return report.take();
}

// One block on each SM, scans in a row.
class Scans {
public:
  Scans(Session& session, Scan scan, unsigned n)
      : session_(session), scan_(scan), n_(n), grid_(static_cast<unsigned>(session.device.sm_count())),
        spans_(grid_), clock_(1), numbers_(numbers_of(std::size_t{n} * grid_)) {}

  // Cycles of one. Empty where a block is not alone on its SM.
  Measurement cycles() {
    Measurement m;
    for (int i = -2; i < (session_.quick() ? 5 : 11); ++i) {
      const auto longer = span(200), shorter = span(100);
      if (!longer || !shorter) return {};
      if (i < 0) continue;
      m.values.push_back((*longer - *shorter) / 100);
      read_clock(clock_.data(), session_.stream);
      session_.stream.synchronize();
      m.sm_clock.push_back(clock_.to_host()[0].hertz());
    }
    return m;
  }

  bool right() {
    if (scan_ == Scan::unsynchronised) return true;
    const std::vector<unsigned> fresh = numbers_of(numbers_.size());
    numbers_.copy_from(fresh.data(), fresh.size());
    return span(3) && wrong_sums(numbers_.to_host(), n_, 3) == 0;
  }

private:
  // Median over the SMs.
  std::optional<double> span(int times) {
    Again* const kernel = of<AgainOf>(scan_);
    const int threads = static_cast<int>(threads_of(n_));
    const auto shared = shared_for_residency(session_.device, kernel, threads, 1);
    if (!shared) return std::nullopt;
    kernel<<<grid_, threads, *shared, session_.stream>>>(numbers_.data(), n_, times, spans_.data());
    PERFMODEL_CUDA(cudaGetLastError());
    session_.stream.synchronize();
    const std::vector<double> cycles = sm_cycles(spans_.to_host().data(), grid_, 1);
    if (cycles.empty()) return std::nullopt;
    return median(cycles);
  }

  Session& session_;
  Scan scan_;
  unsigned n_, grid_;
  Buffer<BlockSpan> spans_;
  Buffer<ClockReading> clock_;
  Buffer<unsigned> numbers_;
};

ProbeResult run_again(Session& session) {
  Report report("suffix sums in a block, one after the other", {{"version", {}}, {"n", {}}}, "cycles",
                unit_of<Cycles>());
  for (const unsigned n : lengths(session.quick()))
    for (const Scan scan : scans()) {
      session.say(name_of(scan, n) + ", again and again");
      Scans alone(session, scan, n);
      if (!report.verify(alone.right(), name_of(scan, n))) return report.take();
      const Measurement m = alone.cycles();
      if (!report.verify(!m.values.empty(), "one block on each SM")) return report.take();
      report.row({std::string(scan_names[static_cast<std::size_t>(scan)]), std::int64_t{n}}, m);
    }
  return report.take();
}

} // namespace

extern const Probe suffix_scan{.name = "suffix-scan",
                               .order = 540,
                               .model = "suffix-sums",
                               .measures =
                                   "cycles of one scan of several in a row, by a block alone on its SM",
                               .run = run_again};

extern const Probe suffix_sums{
    .name = "suffix-sums",
    .order = 550,
    .model = "suffix-sums",
    .measures = "seconds of a launch whose blocks scan their numbers, by version, length and blocks",
    .run = run,
    .count = count,
    .counts = "shared wavefronts and instructions of the same launches"};

} // namespace perfmodel::kernels
