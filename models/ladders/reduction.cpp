#include "reduction.hpp"

#include "reduction_programs.hpp"

#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace perfmodel {

namespace {

constexpr Bytes word{4};

void check(const Gpu& gpu, const Reduction::Input& in) {
  const auto threads = static_cast<std::uint64_t>(in.threads);
  if (in.threads < 64 || in.threads > 1024 || !std::has_single_bit(threads))
    throw InputError(fmt::format("--threads {:g}: a power of two from 64 to 1024 is expected", in.threads));
  const Bytes array = in.n * word;
  if (const auto memory = gpu.find(facts::dram_size); memory && array > memory->value)
    throw InputError(fmt::format("--n {:g}: {} do not fit the {} of {}", in.n,
                                 format_quantity(array.value, unit_of<Bytes>()),
                                 format_quantity(memory->value.value, unit_of<Bytes>()), gpu.name));
}

} // namespace

template <class T>
std::vector<Reduction::Rung> Reduction::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(gpu, in);
  std::vector<std::string_view> classes;
  for (const std::string_view name : reduction_classes())
    if (name != "shuffle" || gpu.lacks.find("throughput.shuffle") == gpu.lacks.end()) classes.push_back(name);
  const SmModel sm = sm_model(gpu, classes, MemoryUse::read, trace);
  const Banks banks = banks_of(gpu, std::nullopt, trace);
  const auto read = trace.fact(gpu, read_bandwidth_key(gpu));
  const auto sms = trace.fact(gpu, facts::sm_count);
  const auto bytes = trace.define("bytes", "of the array", trace.input("n", in.n) * trace.number(word));
  const auto l2 = gpu.find(facts::l2_size);
  const auto next = fact_or(gpu, facts::kernel_turnover, Seconds{0}, trace);
  const double turnover = value_of(next * trace.fact(gpu, facts::clock)).value;

  std::vector<Rung> rungs;
  for (std::size_t i = 0; i < names(ReductionVersion{}).size(); ++i) {
    const auto version = static_cast<ReductionVersion>(i);
    if (in.version && *in.version != version) continue;
    if (version >= ReductionVersion::shuffle && sm.instructions.count("shuffle") == 0) continue;
    const std::string name(names(version)[i]);
    const Occupancy occupied = occupancy(gpu, {.threads_per_block = in.threads,
                                               .registers_per_thread = 16,
                                               .shared_per_block = Bytes{in.threads * word.value}});
    Rung rung{.version = name,
              .n = in.n,
              .threads = in.threads,
              .type = std::string(names(in.type)[static_cast<std::size_t>(in.type)])};
    rung.resident = occupied.blocks;
    double cycles = 0;
    for (double left = in.n;;) {
      ReductionPass pass{.version = version,
                         .type = in.type,
                         .threads = static_cast<std::int64_t>(in.threads),
                         .n = left,
                         .in_l2 = l2 && left * word.value <= l2->value.value,
                         .resident = occupied.blocks,
                         .sms = value_of(sms)};
      const double blocks = reduction_blocks(pass);
      const SmRun run =
          run_blocks(sm.machine, reduction_program(sm, banks, pass),
                     static_cast<std::size_t>(occupied.blocks), std::max(1.0, blocks / value_of(sms)));
      // The last block of the vector version adds the partial sums up by itself.
      const bool own_kernel = rung.passes == 0 || version != ReductionVersion::vector;
      cycles += run.cycles + (own_kernel ? turnover : 0);
      if (rung.passes == 0) rung.blocks = blocks, rung.bound = bound_of(sm, run);
      rung.passes += own_kernel ? 1 : 0;
      left = blocks;
      if (blocks <= 1) break;
    }
    const auto time = trace.define(fmt::format("T({})", name), "simulated cycles over the clock",
                                   trace.number(Cycles{cycles}) / trace.fact(gpu, facts::clock));
    rung.time = value_of(time);
    rung.bandwidth = value_of(bytes / time);
    rung.of_roof = rung.bandwidth / value_of(read);
    if (!rungs.empty()) {
      rung.gain = rungs.back().time / rung.time;
      rung.total_gain = rungs.front().time / rung.time;
    }
    rungs.push_back(std::move(rung));
  }
  return rungs;
}

template std::vector<Reduction::Rung> Reduction::predict(const Gpu&, const Input&, Plain&);
template std::vector<Reduction::Rung> Reduction::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
