// How many words in flight fill the memory: blocks that copy `ilp` words of each thread, all loads before the
// first store, and exit (the lecture's kernel), over word size, threads and resident blocks. Every launch
// takes the next stretch of the buffers, so that nothing is found in L2. Checked in SASS (sm_90): ilp LDG,
// then ilp STG; no loop.
#include "kernels/core/pattern.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/residency.hpp"
#include "kernels/core/vector_access.cuh"

#include "kernels/core/buffer.hpp"

namespace perfmodel::kernels {
namespace {

template <class Word, int ilp> __global__ void __launch_bounds__(1024) copy_words(const Word* in, Word* out) {
  const std::size_t first = blockIdx.x * (std::size_t{blockDim.x} * ilp) + threadIdx.x;
  Word words[ilp];
#pragma unroll
  for (int i = 0; i < ilp; ++i) words[i] = load_word(in + first + i * blockDim.x);
#pragma unroll
  for (int i = 0; i < ilp; ++i) store_word(out + first + i * blockDim.x, words[i]);
}

struct Grid {
  Session& session;
  Report& report;
  Buffer<uint4> in, out;
  std::size_t next = 0; // byte where the next launch begins

  Grid(Session& s, Report& r)
      : session(s), report(r), in(s.buffer_bytes(std::size_t{4} << 30) / sizeof(uint4)), out(in.size()) {
    fill_pattern(in.data(), in.size(), session.stream);
  }

  template <class Word, int ilp> bool point(int threads, int blocks) {
    const auto kernel = &copy_words<Word, ilp>;
    const auto shared = shared_for_residency(session.device, kernel, threads, blocks);
    const std::string name = std::to_string(blocks) + " x " + std::to_string(threads) + " threads, ilp " +
                             std::to_string(ilp) + ", " + std::to_string(sizeof(Word)) + " B";
    if (!shared) {
      report.note("does not fit an SM: " + name);
      return true;
    }
    // Rounds of resident blocks: enough for about 0.3 ms at 1.5 us a round or at 2 TB/s, whichever is longer.
    const std::size_t block_bytes = std::size_t(threads) * ilp * sizeof(Word);
    const std::size_t round = std::size_t(session.device.sm_count()) * blocks;
    const double round_seconds = std::max(1.5e-6, double(round * block_bytes) / 2e12);
    const std::size_t grid = round * std::size_t(std::max(20.0, 3e-4 / round_seconds));
    const std::size_t bytes = grid * block_bytes;
    const auto launch = [&](cudaStream_t stream) {
      if (next + bytes > in.bytes()) next = 0;
      const std::size_t at = next / sizeof(Word);
      kernel<<<static_cast<unsigned>(grid), threads, *shared, stream>>>(
          reinterpret_cast<const Word*>(in.data()) + at, reinterpret_cast<Word*>(out.data()) + at);
      next += (bytes + 511) / 512 * 512;
    };
    const Sampled sampled =
        sample(session, {.samples = session.quick() ? 3 : 11, .warm_up = 0, .watched = next == 0 ? 0.02 : 0},
               launch);
    report.row({std::int64_t{threads}, std::int64_t{blocks}, std::int64_t{ilp}, std::int64_t{sizeof(Word)}},
               rate_of(sampled, 2 * double(bytes)), pin_limit(session));
    return true;
  }

  template <class Word, int ilp> void surface() {
    session.say("memory parallelism: ilp " + std::to_string(ilp) + ", " + std::to_string(sizeof(Word)) +
                " B");
    for (int threads = 32; threads <= 1024; threads *= session.quick() ? 4 : 2)
      for (int blocks = 1; blocks <= 32 && blocks * threads <= 2048; blocks *= session.quick() ? 4 : 2)
        point<Word, ilp>(threads, blocks);
  }

  template <class Word> void surfaces() {
    surface<Word, 1>();
    surface<Word, 2>();
    surface<Word, 4>();
    surface<Word, 8>();
  }

  // Every word of the whole buffer, copied by the kernel with the most words.
  bool copies() {
    out.poison();
    copy_words<uint4, 8>
        <<<static_cast<unsigned>(in.size() / (256 * 8)), 256, 0, session.stream>>>(in.data(), out.data());
    PERFMODEL_CUDA(cudaGetLastError());
    bool right = pattern_differences(out.data(), out.size(), session.stream) == 0;
    out.poison();
    copy_words<unsigned, 1><<<static_cast<unsigned>(in.size() * 4 / 1024), 1024, 0, session.stream>>>(
        reinterpret_cast<const unsigned*>(in.data()), reinterpret_cast<unsigned*>(out.data()));
    PERFMODEL_CUDA(cudaGetLastError());
    right = right && pattern_differences(out.data(), out.size(), session.stream) == 0;
    return report.verify(right, "copied words");
  }
};

ProbeResult run(Session& session) {
  Report report("memory parallelism",
                {{"threads", {}}, {"blocks", {}}, {"ilp", {}}, {"word", unit_of<Bytes>()}}, "bandwidth",
                unit_of<BytesPerSecond>());
  Grid grid(session, report);
  if (!grid.copies()) return report.take();
  grid.surfaces<unsigned>();
  grid.surfaces<uint2>();
  grid.surfaces<uint4>();
  return report.take();
}

} // namespace

extern const Probe memory_parallelism{
    .name = "memory-parallelism",
    .order = 210,
    .model = "memory-parallelism",
    .measures = "copy bandwidth over words per thread, word size, threads and resident blocks",
    .run = run};

} // namespace perfmodel::kernels
