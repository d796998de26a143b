// How long a store needs the registers that it reads: an instruction that writes one of them has to wait. One
// warp stores a word to memory and rotates it by itself, in turn; the rotation waits until the store has read
// the word. Or each rotation's result goes to another register, of four that take turns, so that it waits for
// nothing but the word: how much longer the first takes. Rotations are guarded, by a predicate that is always
// true: else an assembler would choose the registers. Each store of a trip goes to a line of its own: else an
// assembler would leave out all but the last. Checked in SASS (sm_90): STG or STS and a guarded SHF in turn.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/concurrency/steady_cycles.cuh"
#include "kernels/probes/concurrency/step_cycles.hpp"

#include <bit>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel::kernels {
namespace operand_release_probe {
namespace {

constexpr int body = 64, short_run = 4, long_run = 12;

enum class Memory { global, shared };

__device__ inline void rotate_into(unsigned& to, unsigned from, unsigned on) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %2, 0; @p shf.l.wrap.b32 %0, %1, %1, %1; }"
               : "+r"(to)
               : "r"(from), "r"(on));
}

// Each of `words` registers is stored, and then the next one, which may be itself, becomes its rotation. `on`
// is not zero. `out`: body x 32 words.
template <Memory memory, int words>
__global__ void __launch_bounds__(32)
    store_and_rotate(unsigned* out, unsigned on, int trips, unsigned* end, long long* cycles) {
  __shared__ unsigned stored[body * 32];
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(stored + threadIdx.x));
  unsigned* const global = out + threadIdx.x;
  unsigned x[words];
  for (unsigned& word : x) word = threadIdx.x + 1;
  __syncwarp();
  const long long start = cycles_now();
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < body; ++i) {
      if constexpr (memory == Memory::global)
        asm volatile("st.global.u32 [%0], %1;" ::"l"(global + 32 * i), "r"(x[i % words]) : "memory");
      else
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared + 128 * i), "r"(x[i % words]) : "memory");
      rotate_into(x[(i + 1) % words], x[i % words], on);
    }
  end[threadIdx.x] = x[0];
  __syncwarp();
  if (threadIdx.x == 0) *cycles = cycles_now() - start;
  if constexpr (memory == Memory::shared)
    for (unsigned i = threadIdx.x; i < body * 32; i += 32) out[i] = stored[i];
}

// A lane's word after so many rotations.
unsigned word_after(unsigned lane, int rotations) {
  unsigned x = lane + 1;
  for (int i = 0; i < rotations; ++i) x = std::rotl(x, static_cast<int>(x % 32));
  return x;
}

class Stores {
public:
  Stores(Session& session, Report& report) : session_(session), report_(report) {}

  // Cycles by which a rotation of the stored register itself is later.
  template <Memory memory> Measurement release(const std::string& name) {
    const Measurement another = step<memory, 4>(name + ", another register is written");
    Measurement same = step<memory, 1>(name + ", the stored register is written");
    for (double& value : same.values) value -= another.median();
    return same;
  }

private:
  template <Memory memory, int words> Measurement step(std::string name) {
    const auto cycles = [&](int trips) {
      store_and_rotate<memory, words>
          <<<1, 32, 0, session_.stream>>>(out_.data(), 1, trips, end_.data(), cycles_.data());
      PERFMODEL_CUDA(cudaGetLastError());
      session_.stream.synchronize();
      return static_cast<double>(cycles_.to_host()[0]);
    };
    out_.poison(), end_.poison();
    cycles(short_run);
    const std::vector<unsigned> stored = out_.to_host(), end = end_.to_host();
    for (unsigned lane = 0; lane < 32; ++lane) {
      report_.verify(end[lane] == word_after(lane, short_run * body), "words of " + name);
      for (int i = 0; i < body; ++i)
        report_.verify(stored[static_cast<std::size_t>(i) * 32 + lane] ==
                           word_after(lane, (short_run - 1) * body + i),
                       "what was stored of " + name);
    }
    Measurement m = cycles_of_step(session_, {short_run, long_run, body}, cycles);
    report_.row({std::move(name)}, m);
    return m;
  }

  Session& session_;
  Report& report_;
  Buffer<unsigned> out_{std::size_t{body} * 32}, end_{32};
  Buffer<long long> cycles_{1};
};

ProbeResult run(Session& session) {
  Report report("a word that is stored and rotated in turn", {{"steps", {}}}, "cycles", unit_of<Cycles>());
  session.say("registers that stores read");
  Stores stores(session, report);
  report.constant("global.operand_release", stores.release<Memory::global>("to global memory"));
  report.constant("shared.operand_release", stores.release<Memory::shared>("to shared memory"));
  return report.take();
}

} // namespace
} // namespace operand_release_probe

extern const Probe operand_release{.name = "operand-release",
                                   .order = 91,
                                   .measures = "cycles until a register that a store reads may be written",
                                   .provides = {"global.operand_release", "shared.operand_release"},
                                   .run = operand_release_probe::run};

} // namespace perfmodel::kernels
