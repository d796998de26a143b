// How fast blocks are launched: by the whole GPU, on one SM, and for each warp of a block. Blocks that do
// nothing follow one another while other blocks hold all but some of the SMs: on few free SMs each launches
// as fast as it can, on many the GPU's own launcher is what they wait for. From cc 9.0 on also of blocks that
// let the kernel after theirs begin, which each tells the launcher. Checked in SASS (sm_90): neither loads
// nor stores in the block that does nothing.
#include "kernels/core/buffer.hpp"
#include "kernels/core/event.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/residency.hpp"
#include "kernels/core/timing.hpp"

#include <algorithm>

namespace perfmodel::kernels {
namespace block_distribution_probe {
namespace {

__global__ void __launch_bounds__(1024) nothing(const unsigned* in) {
  if (in == nullptr) asm volatile("trap;");
}

__global__ void __launch_bounds__(1024) let_next_begin(const unsigned* in) {
  if (in == nullptr) asm volatile("trap;");
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

// Stays until it is told to leave, two seconds at most.
__global__ void hold_sm(const volatile int* leave) {
  const auto now = [] {
    unsigned long long nanoseconds = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
    return nanoseconds;
  };
  const unsigned long long last = now() + 2'000'000'000ULL;
  while (*leave == 0 && now() < last) {
#if __CUDA_ARCH__ >= 700
    __nanosleep(20'000); // so that the bus is free for what is timed
#endif
  }
}

// All SMs but some are held by a block each that leaves no shared memory to others, as long as this lives.
class HeldSms {
public:
  HeldSms(const Session& session, int held) {
    PERFMODEL_CUDA(cudaHostAlloc(reinterpret_cast<void**>(&leave_), sizeof(int), cudaHostAllocMapped));
    *leave_ = 0;
    if (held == 0) return;
    const auto all = static_cast<int>(session.device.properties.sharedMemPerBlockOptin);
    PERFMODEL_CUDA(cudaFuncSetAttribute(hold_sm, cudaFuncAttributeMaxDynamicSharedMemorySize, all));
    hold_sm<<<static_cast<unsigned>(held), 1, static_cast<std::size_t>(all), stream_>>>(leave_);
    PERFMODEL_CUDA(cudaGetLastError());
  }
  HeldSms(const HeldSms&) = delete;
  HeldSms& operator=(const HeldSms&) = delete;
  ~HeldSms() { // a destructor cannot report; the next checked call will
    *const_cast<volatile int*>(leave_) = 1;
    (void)cudaStreamSynchronize(stream_);
    (void)cudaFreeHost(leave_);
  }

private:
  Stream stream_;
  int* leave_ = nullptr;
};

class Launcher {
public:
  explicit Launcher(Session& session) : session_(session), clock_(1), some_(1) {
    sample(session, usual(session), [&](cudaStream_t stream) { // until the clock stands still
      nothing<<<100'000, 32, 0, stream>>>(some_.data());
    });
  }

  // Cycles from one block to the next of each free SM that holds `blocks`: a long launch less a short one.
  // While SMs are held nothing may be freed, which would wait for them.
  std::optional<Measurement> cycles(void (*kernel)(const unsigned*), int free_sms, int threads, int blocks) {
    const auto shared = shared_for_residency(session_.device, kernel, threads, blocks);
    if (!shared) return std::nullopt;
    const HeldSms held(session_, session_.device.sm_count() - free_sms);
    const std::size_t round = static_cast<std::size_t>(free_sms) * blocks;
    const std::size_t short_rounds = session_.quick() ? 400 : 2000;
    const auto seconds = [&](std::size_t rounds) {
      start_.record(session_.stream);
      kernel<<<static_cast<unsigned>(rounds * round), threads, *shared, session_.stream>>>(some_.data());
      PERFMODEL_CUDA(cudaGetLastError());
      stop_.record(session_.stream);
      return seconds_between(start_, stop_);
    };
    Measurement m;
    for (int i = session_.quick() ? -1 : -2; i < (session_.quick() ? 5 : 15); ++i) {
      const double longer = seconds(2 * short_rounds), shorter = seconds(short_rounds);
      if (i < 0) continue;
      m.sm_clock.push_back(clock());
      m.values.push_back((longer - shorter) / static_cast<double>(short_rounds * blocks) * m.sm_clock.back());
    }
    return m;
  }

private:
  double clock() {
    read_clock(clock_.data(), session_.stream);
    ClockReading reading{};
    PERFMODEL_CUDA(
        cudaMemcpyAsync(&reading, clock_.data(), sizeof reading, cudaMemcpyDeviceToHost, session_.stream));
    session_.stream.synchronize();
    return reading.hertz();
  }

  Session& session_;
  Buffer<ClockReading> clock_;
  Buffer<unsigned> some_;
  Event start_, stop_;
};

Measurement scaled(Measurement m, double less, double factor) {
  for (double& value : m.values) value = (value - less) * factor;
  return m;
}

ProbeResult run(Session& session) {
  Report report("block distribution", {{"sms", {}}, {"threads", {}}, {"blocks", {}}}, "cycles",
                unit_of<Cycles>());
  Launcher launcher(session);
  const int all = session.device.sm_count();
  Measurement on_one_sm, of_all, of_one_warp, of_most_warps;
  for (int sms = 1; sms <= all; sms = sms < all ? std::min(2 * sms, all) : all + 1)
    for (const int threads : {32, 256, 1024})
      for (const int blocks : {1, 2, 4, 8, 16}) {
        if (blocks * threads > 2048) continue;
        session.say("block distribution: " + std::to_string(sms) + " SMs");
        const auto m = launcher.cycles(&nothing, sms, threads, blocks);
        if (!m) continue;
        report.row({std::int64_t{sms}, std::int64_t{threads}, std::int64_t{blocks}}, *m);
        if (sms == 1 && threads == 32) on_one_sm = *m; // the last: of most blocks
        if (sms == all && threads == 32) of_all = *m;
        if (sms == all && blocks == 1 && threads == 32) of_one_warp = *m;
        if (sms == all && blocks == 1 && threads == 1024) of_most_warps = *m;
      }
  report.constant("block.launch_interval", on_one_sm);
  report.constant("block.device_interval", scaled(of_all, 0, 1.0 / all));
  report.constant("block.warp_interval", scaled(of_most_warps, of_one_warp.median(), 1.0 / 31));
  if (session.device.properties.major < 9) return report.take();
  constexpr int blocks = 16; // of an SM, as `of_all`
  if (const auto m = launcher.cycles(&let_next_begin, all, 32, blocks))
    report.constant("block.dependents_interval", scaled(*m, 0, 1.0 / all));
  return report.take();
}

} // namespace
} // namespace block_distribution_probe

extern const Probe block_distribution{.name = "block-distribution",
                                      .order = 151,
                                      .measures = "cycles between launches of blocks on few and on all SMs, "
                                                  "and of those that let the next kernel begin",
                                      .provides = {"block.launch_interval", "block.device_interval",
                                                   "block.warp_interval", "block.dependents_interval"},
                                      .run = block_distribution_probe::run};

} // namespace perfmodel::kernels
