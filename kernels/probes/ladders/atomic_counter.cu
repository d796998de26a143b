// How often L2 counts up one word: one thread of each of many blocks adds to it again and again, every
// addition behind the one before, and blocks enough that the word is never left alone. A kernel whose last
// block has something left to do finds out in this way which block is the last. Floating-point numbers, which
// L2 adds more slowly, are what blocks add their sums up with.
#include "kernels/core/buffer.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

namespace perfmodel::kernels {
namespace atomic_counter_probe {
namespace {

template <class T> __global__ void __launch_bounds__(32) count_up(T* word, unsigned times, T* never) {
  if (threadIdx.x != 0) return;
  T seen = 0;
#pragma unroll 1
  for (unsigned i = 0; i < times; ++i) seen = atomicAdd(word, seen < T(1u << 30) ? T(1) : T(2));
  if (seen == T(1u << 31)) *never = seen;
}

// Every sum is a whole number that a float holds exactly.
template <class T> void count(Session& session, const char* type, const char* fact, Report& report) {
  Buffer<T> word(1), never(1);
  const auto sms = static_cast<unsigned>(session.device.sm_count());
  for (const unsigned resident : {1u, 4u, 16u}) {
    const unsigned times = 4096 / resident, blocks = sms * resident;
    const auto launch = [&](cudaStream_t stream) {
      count_up<<<blocks, 32, 0, stream>>>(word.data(), times, never.data());
      PERFMODEL_CUDA(cudaGetLastError());
    };
    PERFMODEL_CUDA(cudaMemsetAsync(word.data(), 0, sizeof(T), session.stream));
    launch(session.stream);
    session.stream.synchronize();
    if (!report.verify(word.to_host()[0] == T(blocks * times), "every addition counted")) break;
    const auto again = [&](cudaStream_t stream) {
      PERFMODEL_CUDA(cudaMemsetAsync(word.data(), 0, sizeof(T), stream));
      launch(stream);
    };
    const Measurement rate = rate_of(sample(session, usual(session), again), double(blocks) * times);
    report.row({std::string(type), std::int64_t{resident}}, rate);
    if (resident == 16) report.constant(fact, rate);
  }
}

ProbeResult run(Session& session) {
  session.say("atomic counter");
  Report report("additions to one word", {{"type", {}}, {"blocks_per_sm", {}}}, "rate",
                unit_of<Quantity<0, 0, 0, -1, 0>>());
  count<unsigned>(session, "int32", "l2.counter_rate", report);
  count<float>(session, "fp32", "l2.float_counter_rate", report);
  return report.take();
}

} // namespace
} // namespace atomic_counter_probe

extern const Probe atomic_counter{
    .name = "atomic-counter",
    .order = 190,
    .measures = "additions to one word in L2 per second, by one thread of each of many blocks",
    .provides = {"l2.counter_rate", "l2.float_counter_rate"},
    .run = atomic_counter_probe::run};

} // namespace perfmodel::kernels
