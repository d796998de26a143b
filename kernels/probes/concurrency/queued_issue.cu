// What an instruction that waits in a queue for its unit (special functions, shared memory, loads of global
// memory that L1 has) takes of its scheduler beside its slot, and one that makes a product of 64 bits: mixes
// of 12 FMAs with one such instruction, which keep its unit busy for two thirds of the time at most, less the
// FMAs alone. instruction_mixes.cuh has the loops.
#include "instruction_mixes.cuh"

#include "kernels/core/probe.hpp"

#include "models/core/facts.hpp"

namespace perfmodel::kernels {
namespace queued_issue_probe {
namespace {

constexpr int fmas = 12, unroll = 16;

ProbeResult run(Session& session) {
  Report report("slots of queued instructions", {{"class", {}}}, "cycles", unit_of<Cycles>());
  MixBench bench(session, report);
  using Fmas = Part<Ffma, fmas>;
  const auto alone = bench.cycles_per_mix<unroll, Fmas>();
  const Gpu* gpu = session.options.gpu;
  const auto known = gpu != nullptr ? gpu->find(facts::schedulers) : std::nullopt;
  const double schedulers = known ? known->value : 4; // on every chip since cc 7.0
  const auto beside = [&](std::string_view name, std::optional<Measurement> mix) {
    if (!alone || !mix) return Measurement{};
    for (double& cycles : mix->values) cycles = (cycles - alone->median()) * schedulers - 1;
    report.row({std::string(name)}, *mix);
    return *std::move(mix);
  };
  const auto constant = [&](std::string_view path, Measurement a, const Measurement& b) {
    if (a.values.size() != b.values.size() || a.values.empty()) return;
    for (std::size_t i = 0; i < a.values.size(); ++i) a.values[i] = (a.values[i] + b.values[i]) / 2;
    report.constant(path, a);
  };
  const Measurement ex2 = beside("ex2", bench.cycles_per_mix<unroll, Fmas, Part<Ex2, 1>>()),
                    f2i = beside("f2i", bench.cycles_per_mix<unroll, Fmas, Part<FloatToInt, 1>>()),
                    shuffle = beside("shuffle", bench.cycles_per_mix<unroll, Fmas, Part<Shuffle, 1>>()),
                    lds = beside("lds", bench.cycles_per_mix<unroll, Fmas, Part<SharedLoad, 1>>());
  const auto one = [&](std::string_view path, const Measurement& m) {
    if (!m.values.empty()) report.constant(path, m);
  };
  one("issue.queued_global", beside("ldg", bench.cycles_per_mix<unroll, Fmas, Part<GlobalLoad, 1>>()));
  one("issue.high_product", beside("imulhi", bench.cycles_per_mix<unroll, Fmas, Part<MulHigh, 1>>()));
  constant("issue.queued_special", ex2, f2i);
  constant("issue.queued_shared", shuffle, lds);
  return report.take();
}

} // namespace
} // namespace queued_issue_probe

extern const Probe queued_issue{
    .name = "queued-issue",
    .order = 100,
    .measures =
        "cycles of a scheduler that instructions of the special function units, of memory and products of 64 "
        "bits take beside their slot",
    .provides = {"issue.queued_special", "issue.queued_shared", "issue.queued_global", "issue.high_product"},
    .run = queued_issue_probe::run};

} // namespace perfmodel::kernels
