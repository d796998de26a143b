// Atomic operations on words of their own: of all SMs and of one alone; the words of a line together, and one
// word of each of 32 sectors; eight lanes to each of four words side by side, so that a sector is changed
// eight times. Also within one KiB, which few slices of L2 hold, maybe one. Additions whose
// results nobody waits for are those that most programs make; L2 takes longer for a sector of doubles, for
// comparing and swapping, and where the old value goes back to the SM.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include <algorithm>

namespace perfmodel::kernels {
namespace atomic_sectors_probe {
namespace {

constexpr int threads = 1024;

// What is done to a word. Every word is 0 at first.
struct Add {
  using Word = unsigned;
  static __device__ unsigned to(Word* word) {
    asm volatile("red.global.add.u32 [%0], 1;" ::"l"(word) : "memory");
    return 0;
  }
};
struct AddDouble {
  using Word = double;
  static __device__ unsigned to(Word* word) {
    asm volatile("red.global.add.f64 [%0], %1;" ::"l"(word), "d"(1.0) : "memory");
    return 0;
  }
};
struct AddAndSee {
  using Word = unsigned;
  static __device__ unsigned to(Word* word) { return atomicAdd(word, 1U); }
};
struct Swap { // the first one finds the 0
  using Word = unsigned;
  static __device__ unsigned to(Word* word) { return atomicCAS(word, 0U, 1U); }
};

enum class Lanes { side_by_side, apart, in_eights };

// Warp w begins at line w, and goes on by as many lines as there are warps; within a word of its own of each
// sector where they are apart.
template <class Op, Lanes lanes>
__global__ void __launch_bounds__(threads)
    change_over(typename Op::Word* words, unsigned lines, int trips, unsigned* seen) {
  constexpr unsigned of_sector = 32 / sizeof(typename Op::Word);
  const unsigned all = gridDim.x * threads / 32, lane = threadIdx.x % 32;
  constexpr bool apart = lanes == Lanes::apart;
  constexpr unsigned of_word = lanes == Lanes::in_eights ? 8 : 1;
  unsigned warp = (blockIdx.x * threads + threadIdx.x) / 32, sum = 0;
  unsigned line = apart ? warp * 8 % lines : warp % lines;
  const unsigned ahead = apart ? all * 8 % lines : all % lines;
#pragma unroll 4
  for (int trip = 0; trip < trips; ++trip) {
    const unsigned at = apart ? line * 4 * of_sector + lane * of_sector + (warp + trip) % of_sector
                              : line * 32 + lane / of_word;
    sum += Op::to(words + at);
    line += ahead;
    if (line >= lines) line -= lines;
  }
  if (sum == 0xDEADBEEF) *seen = sum;
}

constexpr std::size_t much = std::size_t{4} << 20, little = 1024;

struct Way {
  const char* operation;
  const char* lanes;
  double sectors;             // of a warp; turns of them
  std::size_t bytes, of_line; // that 32 lanes side by side take
  const char* rate;           // facts that it gives, or none
  const char* interval = nullptr;
};

template <class Op, Lanes lanes> void measure(Session& session, Report& report, const Way& way) {
  using Word = typename Op::Word;
  Buffer<Word> words(much / sizeof(Word) + 32 * (32 / sizeof(Word)));
  Buffer<unsigned> seen(1);
  const auto sms = static_cast<unsigned>(session.device.sm_count());
  const auto lines = static_cast<unsigned>(way.bytes / way.of_line);
  for (const unsigned used : {sms, 1u}) {
    if (used == 1 && way.rate && !way.interval) continue;
    const unsigned blocks = used == 1 ? 1 : 2 * used; // a block of 32 warps is on one SM
    const auto launch = [&](cudaStream_t stream, int trips) {
      change_over<Op, lanes><<<blocks, threads, 0, stream>>>(words.data(), lines, trips, seen.data());
      PERFMODEL_CUDA(cudaGetLastError());
    };
    PERFMODEL_CUDA(cudaMemsetAsync(words.data(), 0, words.size() * sizeof(Word), session.stream));
    constexpr int few = 24;
    launch(session.stream, few);
    session.stream.synchronize();
    double sum = 0, most = 0;
    for (const Word word : words.to_host())
      sum += static_cast<double>(word), most = std::max(most, static_cast<double>(word));
    const bool swaps = std::is_same_v<Op, Swap>;
    if (!report.verify(swaps ? most == 1 && sum <= double(blocks) * threads * few
                             : sum == double(blocks) * threads * few,
                       "every word changed as often as it was asked for"))
      return;
    const int trips = trips_for(session, 2e-3, launch);
    const Sampled times = sample(session, usual(session), [&](cudaStream_t s) { launch(s, trips); });
    const double sectors = double(blocks) * threads / 32 * trips * way.sectors;
    Measurement rate{.values = {}, .sm_clock = times.sm_clock}, interval = rate;
    for (std::size_t i = 0; i < times.seconds.size(); ++i) {
      rate.values.push_back(sectors / times.seconds[i]);
      interval.values.push_back(times.seconds[i] * times.sm_clock[i] / sectors);
    }
    report.row({std::string(way.operation), std::string(way.lanes), std::int64_t{used}}, rate);
    if (way.rate && used == sms) report.constant(way.rate, rate);
    if (way.interval && used == 1) report.constant(way.interval, interval);
  }
}

ProbeResult run(Session& session) {
  session.say("atomic operations");
  Report report("atomic operations on words of their own", {{"operation", {}}, {"lanes", {}}, {"sms", {}}},
                "rate", unit_of<Quantity<0, 0, 0, -1, 0>>());
  constexpr const char *one = "one line", *sectors = "32 sectors", *kib = "32 sectors of one KiB",
                       *in_kib = "lines of one KiB";
  measure<Add, Lanes::side_by_side>(
      session, report, {"add int32", one, 4, much, 128, "l2.atomic_rate", "l2.sm_atomic_interval"});
  measure<Add, Lanes::apart>(session, report, {"add int32", sectors, 32, much, 128, nullptr});
  measure<Add, Lanes::apart>(session, report, {"add int32", kib, 32, little, 128, "l2.kib_atomic_rate"});
  measure<Add, Lanes::in_eights>(session, report,
                                 {"add int32", "four words", 8, much, 128, "l2.sector_atomic_rate"});
  measure<AddDouble, Lanes::side_by_side>(session, report,
                                          {"add fp64", "two lines", 8, much, 256, "l2.double_atomic_rate"});
  measure<AddDouble, Lanes::apart>(session, report, {"add fp64", sectors, 32, much, 128, nullptr});
  measure<AddDouble, Lanes::side_by_side>(session, report,
                                          {"add fp64", in_kib, 8, little, 256, "l2.kib_double_atomic_rate"});
  measure<AddAndSee, Lanes::side_by_side>(
      session, report, {"add int32, with its result", one, 4, much, 128, "l2.result_atomic_rate"});
  measure<Swap, Lanes::side_by_side>(session, report,
                                     {"compare and swap", one, 4, much, 128, "l2.swap_rate"});
  measure<Swap, Lanes::side_by_side>(session, report,
                                     {"compare and swap", in_kib, 4, little, 128, "l2.kib_swap_rate"});
  return report.take();
}

} // namespace
} // namespace atomic_sectors_probe

extern const Probe atomic_sectors{
    .name = "atomic-sectors",
    .order = 191,
    .measures = "atomic operations on words of their own, by sectors, of all SMs and of one alone",
    .provides = {"l2.atomic_rate", "l2.sm_atomic_interval", "l2.kib_atomic_rate", "l2.double_atomic_rate",
                 "l2.kib_double_atomic_rate", "l2.sector_atomic_rate", "l2.result_atomic_rate",
                 "l2.swap_rate", "l2.kib_swap_rate"},
    .run = atomic_sectors_probe::run};

} // namespace perfmodel::kernels
