// What a block costs beside its work: blocks that do nothing, that load and exit, that store and exit, over
// threads and resident blocks. A slot of an SM that holds one block after another takes, for each, the time
// to launch it, to load what it loads, and, where the block may not leave before its stores have, to drain
// them. The three are told apart by difference. Checked in SASS (sm_90): ilp LDG and the additions that need
// them, or ilp STG, or neither; no loop.
#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/residency.hpp"
#include "kernels/core/vector_access.cuh"

#include <algorithm>
#include <map>

namespace perfmodel::kernels {
namespace block_turnover_probe {
namespace {

__global__ void __launch_bounds__(1024) launch_only(const unsigned* in, unsigned*) {
  if (in == nullptr) asm volatile("trap;");
}

template <class Word, int ilp> __global__ void __launch_bounds__(1024) load_only(const Word* in, Word* out) {
  const std::size_t first = blockIdx.x * (std::size_t{blockDim.x} * ilp) + threadIdx.x;
  Word words[ilp];
#pragma unroll
  for (int i = 0; i < ilp; ++i) words[i] = load_word(in + first + i * blockDim.x);
  unsigned sum = 0;
#pragma unroll
  for (int i = 0; i < ilp; ++i) sum += folded(words[i]);
  if (sum == 0x9E3779B9u) store_word(out, words[0]); // as good as never
}

template <class Word, int ilp> __global__ void __launch_bounds__(1024) store_only(const Word*, Word* out) {
  const std::size_t first = blockIdx.x * (std::size_t{blockDim.x} * ilp) + threadIdx.x;
#pragma unroll
  for (int i = 0; i < ilp; ++i) store_word(out + first + i * blockDim.x, Word{});
}

class Slots {
public:
  explicit Slots(Session& session)
      : session_(session), in_(session.buffer_bytes(std::size_t{4} << 30) / 16), out_(in_.size()) {
    fill_pattern(in_.data(), in_.size(), session.stream);
    out_.clear();
  }

  // Cycles that a slot takes for one block after another: a long launch less a short one.
  template <class Word>
  std::optional<Measurement> cycles(void (*kernel)(const Word*, Word*), int threads, int blocks, int words) {
    const auto shared = shared_for_residency(session_.device, kernel, threads, blocks);
    if (!shared) return std::nullopt;
    const std::size_t round = std::size_t(session_.device.sm_count()) * blocks;
    const std::size_t round_bytes = round * threads * words * sizeof(Word);
    const double seconds = std::max(1.5e-6, double(round_bytes) / 2e12);
    const auto rounds = std::size_t(
        std::clamp(1.5e-4 / seconds, 20.0, double(in_.bytes() / 3 / std::max<std::size_t>(1, round_bytes))));
    // Every launch, the one that warms up too, takes the next stretch of the buffers: nothing is found in L2.
    const auto timed = [&](std::size_t count) {
      const std::size_t bytes = (count * round_bytes + 511) / 512 * 512;
      return sample(session_, {.samples = 1, .warm_up = 0, .watched = 0}, [&](cudaStream_t stream) {
        if (next_ + bytes > in_.bytes()) next_ = 0;
        const std::size_t at = next_ / sizeof(Word);
        next_ += bytes;
        kernel<<<static_cast<unsigned>(count * round), threads, *shared, stream>>>(
            reinterpret_cast<const Word*>(in_.data()) + at, reinterpret_cast<Word*>(out_.data()) + at);
      });
    };
    Measurement m;
    for (int i = session_.quick() ? -1 : -2; i < (session_.quick() ? 3 : 11); ++i) {
      const Sampled longer = timed(2 * rounds), shorter = timed(rounds);
      if (i < 0) continue;
      m.sm_clock.push_back(longer.sm_clock.front());
      m.values.push_back((longer.seconds.front() - shorter.seconds.front()) / double(rounds) *
                         m.sm_clock.back());
    }
    return m;
  }

private:
  Session& session_;
  Buffer<uint4> in_, out_;
  std::size_t next_ = 0;
};

Measurement less(Measurement m, const Measurement& other) {
  for (double& value : m.values) value -= other.median();
  return m;
}

ProbeResult run(Session& session) {
  Report report("block turn-over",
                {{"work", {}}, {"threads", {}}, {"blocks", {}}, {"bytes", unit_of<Bytes>()}}, "cycles",
                unit_of<Cycles>());
  Slots slots(session);
  std::map<std::string, Measurement> alone; // one block of one warp on each SM, a word of 4 bytes
  const auto surface = [&]<class Word>(const std::string& work, void (*kernel)(const Word*, Word*),
                                       int words) {
    session.say("block turn-over: " + work);
    for (int threads = 32; threads <= 1024; threads *= 2)
      for (int blocks = 1; blocks <= 32 && blocks * threads <= 2048; blocks *= session.quick() ? 8 : 2) {
        const auto m = slots.cycles(kernel, threads, blocks, words);
        if (!m) continue;
        report.row(
            {work, std::int64_t{threads}, std::int64_t{blocks}, std::int64_t(words * int(sizeof(Word)))}, *m);
        if (threads == 32 && blocks == 1) alone.emplace(work, *m);
      }
  };
  surface("launch", &launch_only, 0);
  surface("load", &load_only<unsigned, 1>, 1);
  surface("store", &store_only<unsigned, 1>, 1);
  surface("load", &load_only<uint4, 4>, 4);
  surface("store", &store_only<uint4, 4>, 4);
  report.constant("block.launch", alone.at("launch"));
  report.constant("block.load_latency", less(alone.at("load"), alone.at("launch")));
  report.constant("block.store_drain", less(alone.at("store"), alone.at("launch")));
  return report.take();
}

} // namespace
} // namespace block_turnover_probe

extern const Probe block_turnover{
    .name = "block-turnover",
    .order = 150,
    .measures = "cycles that an SM's slot takes for a block that does nothing, loads or stores",
    .provides = {"block.launch", "block.load_latency", "block.store_drain"},
    .run = block_turnover_probe::run};

} // namespace perfmodel::kernels
