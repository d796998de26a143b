// How long a store needs the registers that it reads: an instruction that writes one of them has to wait. One
// warp rotates a word by itself, or stores it to memory before each rotation, which then waits until the
// store has read the word. What a step takes longer than one of rotations alone. The rotation is guarded, by
// a predicate that is always true: else an assembler would put the result into another register. Each store
// of a trip goes to a line of its own: else an assembler would leave out all but the last. Checked in SASS
// (sm_90): STG or STS and a guarded SHF in turn.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/concurrency/steady_cycles.cuh"
#include "kernels/probes/concurrency/step_cycles.hpp"

#include <bit>
#include <string>
#include <utility>

namespace perfmodel::kernels {
namespace operand_release_probe {
namespace {

constexpr int body = 64, short_run = 4, long_run = 12;

enum class Access { none, global_store, shared_store };

// `on` is not zero. `out`: body x 32 words.
template <Access access>
__global__ void __launch_bounds__(32)
    rotate(unsigned* out, unsigned on, int trips, unsigned* end, long long* cycles) {
  __shared__ unsigned words[body * 32];
  const auto shared = static_cast<unsigned>(__cvta_generic_to_shared(words + threadIdx.x));
  unsigned* const global = out + threadIdx.x;
  unsigned x = threadIdx.x + 1;
  __syncwarp();
  const long long start = cycles_now();
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip)
#pragma unroll
    for (int i = 0; i < body; ++i) {
      if constexpr (access == Access::global_store)
        asm volatile("st.global.u32 [%0], %1;" ::"l"(global + 32 * i), "r"(x) : "memory");
      if constexpr (access == Access::shared_store)
        asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared + 128 * i), "r"(x) : "memory");
      asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p shf.l.wrap.b32 %0, %0, %0, %0; }"
                   : "+r"(x)
                   : "r"(on));
    }
  end[threadIdx.x] = x;
  __syncwarp();
  if (threadIdx.x == 0) *cycles = cycles_now() - start;
  if constexpr (access == Access::shared_store)
    for (unsigned i = threadIdx.x; i < body * 32; i += 32) out[i] = words[i];
}

// A lane's word after so many rotations.
unsigned word_after(unsigned lane, int rotations) {
  unsigned x = lane + 1;
  for (int i = 0; i < rotations; ++i) x = std::rotl(x, static_cast<int>(x % 32));
  return x;
}

class Rotations {
public:
  Rotations(Session& session, Report& report) : session_(session), report_(report) {}

  template <Access access> Measurement step(std::string name) {
    const auto cycles = [&](int trips) {
      rotate<access><<<1, 32, 0, session_.stream>>>(out_.data(), 1, trips, end_.data(), cycles_.data());
      PERFMODEL_CUDA(cudaGetLastError());
      session_.stream.synchronize();
      return static_cast<double>(cycles_.to_host()[0]);
    };
    out_.poison(), end_.poison();
    cycles(short_run);
    const std::vector<unsigned> stored = out_.to_host(), end = end_.to_host();
    for (unsigned lane = 0; lane < 32; ++lane) {
      report_.verify(end[lane] == word_after(lane, short_run * body), "words of " + name);
      for (int i = 0; access != Access::none && i < body; ++i)
        report_.verify(stored[static_cast<std::size_t>(i) * 32 + lane] ==
                           word_after(lane, (short_run - 1) * body + i),
                       "what was stored of " + name);
    }
    Measurement m = cycles_of_step(session_, {short_run, long_run, body}, cycles);
    report_.row({std::move(name)}, m);
    return m;
  }

private:
  Session& session_;
  Report& report_;
  Buffer<unsigned> out_{std::size_t{body} * 32}, end_{32};
  Buffer<long long> cycles_{1};
};

Measurement beyond(Measurement m, const Measurement& alone) {
  for (double& value : m.values) value -= alone.median();
  return m;
}

ProbeResult run(Session& session) {
  Report report("rotations of a word that is stored before each", {{"steps", {}}}, "cycles",
                unit_of<Cycles>());
  session.say("registers that stores read");
  Rotations rotations(session, report);
  const Measurement alone = rotations.step<Access::none>("rotation");
  const Measurement global = rotations.step<Access::global_store>("store to global memory and rotation"),
                    shared = rotations.step<Access::shared_store>("store to shared memory and rotation");
  report.constant("global.operand_release", beyond(global, alone));
  report.constant("shared.operand_release", beyond(shared, alone));
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
