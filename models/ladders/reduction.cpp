#include "reduction.hpp"

#include "ladder_question.hpp"
#include "long_loop.hpp"
#include "reduction_launches.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/concurrency/occupancy.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/trace.hpp"
#include "models/kernel/known_kernels.hpp"
#include "models/machine/caches.hpp"
#include "models/simulate/kernel_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace perfmodel {

namespace {

constexpr Bytes word{4};

template <class E> std::string_view name_of(E choice) {
  return names(choice)[static_cast<std::size_t>(choice)];
}

void check(const Gpu& gpu, const Reduction::Input& in) {
  if (in.threads < 64 || in.threads > 1024 || !std::has_single_bit(static_cast<std::uint64_t>(in.threads)))
    throw InputError(fmt::format("--threads {:g}: a power of two from 64 to 1024 is expected", in.threads));
  const Bytes array = in.n * word;
  if (const auto memory = gpu.find(facts::dram_size); memory && array > memory->value)
    throw LaunchError(fmt::format("--n {:.0f}: {} do not fit the {} of {}", in.n,
                                  format_quantity(array.value, unit_of<Bytes>()),
                                  format_quantity(memory->value.value, unit_of<Bytes>()), gpu.name));
  constexpr double most = 2147483648; // the kernels count in 32 bits
  if (in.n > most)
    throw InputError(fmt::format("--n {:.0f}: at most {:.0f} numbers are expected", in.n, most));
}

// Warps exchange registers since cc 3.0.
bool has_shuffles(const Gpu& gpu) { return gpu.lacks.find("throughput.shuffle") == gpu.lacks.end(); }

std::vector<ReductionVersion> versions_on(const Gpu& gpu, const Reduction::Input& in) {
  if (in.version && *in.version >= ReductionVersion::shuffle && !has_shuffles(gpu))
    throw LaunchError(fmt::format("--version {}: {} has {}", name_of(*in.version), gpu.name,
                                  gpu.lacks.find("throughput.shuffle")->second));
  if (in.version) return {*in.version};
  std::vector<ReductionVersion> all;
  for (std::size_t i = 0; i < names(ReductionVersion{}).size(); ++i)
    if (const auto version = static_cast<ReductionVersion>(i);
        version < ReductionVersion::shuffle || has_shuffles(gpu))
      all.push_back(version);
  return all;
}

struct Climbed {
  Seconds time{0};
  double sectors = 0, wavefronts = 0, instructions = 0;
  Bytes dram_bytes{0};
  Count blocks = 0, resident = 0, passes = 0; // blocks of the first pass
  std::string bound;
  KernelTime first; // of the passes
  const KernelCode* code = nullptr;
};

// One pass at a time, of one version.
class Passes {
public:
  Passes(const Gpu& gpu, ReductionVersion version, const Reduction::Input& in)
      : gpu_(gpu), version_(version), view_(in.view), threads_(static_cast<std::int64_t>(in.threads)),
        code_(known_kernel("reduction", reduction_kernel(version, in.type, threads_), gpu.capability())) {}

  const KernelCode& code() const { return code_; }
  Count resident() const {
    return occupancy(gpu_, {.threads_per_block = static_cast<Count>(threads_),
                            .registers_per_thread = static_cast<Count>(*code_.registers),
                            .shared_per_block = Bytes(
                                static_cast<double>(*code_.shared + reduction_shared(version_, threads_)))})
        .blocks;
  }

  template <class T> KernelTime time(const ReductionPass& pass, T& trace) const {
    KernelTime found = unbounded(pass, trace);
    // What is left to chance, which bank a read meets, evens out: no more comes than all banks deliver.
    const Seconds least = found.dram_read / value_of(read_bandwidth(gpu_, trace));
    found.time = std::max(found.time, least);
    for (KernelTime::Instead& one : found.instead)
      if (one.what != WhatIf::all_in_l2) one.time = std::max(one.time, least);
    return found;
  }

private:
  template <class T> KernelTime unbounded(const ReductionPass& pass, T& trace) const {
    const ReductionLoop loop = reduction_loop(version_, threads_, pass.blocks);
    if (loop.numbers == 0) return simulated(pass, trace);
    // Of a thread, until its loop is in its swing; and longer than what L2 may keep.
    constexpr std::int64_t least_loads = 128;
    const Bytes kept{
        has_l2(gpu_) && gpu_.has_cost(facts::l2_size) ? value_of(trace.cost(gpu_, facts::l2_size)).value : 0};
    const std::int64_t trips =
        std::max(least_loads / loop.loads,
                 static_cast<std::int64_t>(std::ceil(kept / (static_cast<double>(loop.numbers) * word))));
    Unexplained<T> other(trace);
    return long_loop_time(
        pass.n, loop.numbers, trips,
        [&](std::int64_t n) {
          return simulated({n, pass.blocks}, trace);
        },
        [&](std::int64_t n) {
          return simulated({n, pass.blocks}, other.plain);
        });
  }
  template <class T> KernelTime simulated(const ReductionPass& pass, T& trace) const {
    const KernelLaunch launch = reduction_launch(version_, threads_, pass);
    // One sum after another; a block that counts itself is not the last, but for one.
    KernelQuestion question = ladder_question(code_, launch, RungViews{view_}.simulated());
    question.data = {.branches = Unknown::taken};
    if (gathers_in_last_block(version_)) question.last_block = LoadedData{.branches = Unknown::skipped};
    return kernel_time(gpu_, question, trace);
  }

  const Gpu& gpu_;
  ReductionVersion version_;
  RungView view_;
  std::int64_t threads_;
  const KernelCode& code_;
};

// `first` is the trace that the first pass is explained by.
template <class First, class T>
Climbed climb(const Gpu& gpu, ReductionVersion version, const Reduction::Input& in, First& first, T& trace) {
  const Passes passes(gpu, version, in);
  Climbed sum{.resident = passes.resident()};
  sum.code = &passes.code();
  const Count wave = sum.resident * value_of(trace.fact(gpu, facts::sm_count));
  for (const ReductionPass& pass :
       reduction_passes(version, static_cast<std::int64_t>(in.threads), static_cast<std::int64_t>(in.n),
                        static_cast<std::int64_t>(wave))) {
    const KernelTime t = sum.passes == 0 ? passes.time(pass, first) : passes.time(pass, trace);
    if (sum.passes == 0) sum.blocks = t.blocks, sum.bound = t.bound, sum.first = t;
    sum.time = sum.time + t.time;
    sum.sectors += t.counts.load_sectors;
    sum.wavefronts += t.counts.shared_wavefronts;
    sum.instructions += t.counts.instructions;
    sum.dram_bytes = sum.dram_bytes + t.dram_read;
    sum.passes += 1;
  }
  return sum;
}

template <class T>
std::vector<LeftByLink> left_of(const Reduction::Input& in, const std::vector<Reduction::Rung>& rungs,
                                T& trace) {
  std::vector<LeftByLink> rows;
  if (!in.link) return rows;
  const auto array = trace.input("n", in.n) * trace.number(word), sum = trace.number(word);
  for (const Reduction::Rung& rung : rungs)
    rows.push_back(left_by_link(*in.link, rung.version, rung.time, array, sum, trace));
  return with_gains(std::move(rows), "interleaved");
}

} // namespace

template <class T> Reduction::Tables Reduction::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(gpu, in);
  const auto bytes = trace.define("bytes", "of the array", trace.input("n", in.n) * trace.number(word));
  std::vector<Rung> rungs;
  RungViews views{in.view};
  for (const ReductionVersion version : versions_on(gpu, in)) {
    Unexplained<T> other(trace);
    // One launch shows what goes into all of them.
    const Climbed sum = rungs.empty() ? climb(gpu, version, in, trace, other.plain)
                                      : climb(gpu, version, in, other.plain, other.plain);
    views.add(name_of(version), *sum.code, sum.first);
    const auto time = trace.define(fmt::format("T({})", name_of(version)),
                                   "time of the sum, of all its passes", trace.number(sum.time));
    const bool in_l2 = !(sum.dram_bytes > Bytes{0});
    const auto read = in_l2 ? trace.cost(gpu, facts::sustained_l2) : read_bandwidth(gpu, trace);
    const auto bandwidth = bytes / time;
    const Flops additions(in.n - 1);
    rungs.push_back({.version = std::string(name_of(version)),
                     .n = in.n,
                     .threads = in.threads,
                     .type = std::string(name_of(in.type)),
                     .time = value_of(time),
                     .bandwidth = value_of(bandwidth),
                     .gain = rungs.empty() ? absent : rungs.back().time / value_of(time),
                     .total_gain = rungs.empty() ? absent : rungs.front().time / value_of(time),
                     .of_roof = value_of(bandwidth / read),
                     .blocks = sum.blocks,
                     .resident = sum.resident,
                     .passes = sum.passes,
                     .sectors = sum.sectors,
                     .wavefronts = sum.wavefronts,
                     .instructions = std::round(sum.instructions),
                     .dram_bytes = in_l2 ? Bytes{absent} : sum.dram_bytes,
                     .intensity = additions / value_of(bytes),
                     .performance = additions / value_of(time),
                     .level = in_l2 ? "l2" : "dram",
                     .bound = sum.bound});
  }
  std::vector<LeftByLink> left = left_of(in, rungs, trace);
  return {std::move(rungs),
          std::move(left),
          std::move(views.stalls),
          std::move(views.pipes),
          std::move(views.instead),
          std::move(views.code.counts),
          std::move(views.code.groups),
          std::move(views.timeline.strips),
          std::move(views.timeline.states),
          std::move(views.timeline.slices)};
}

std::string Reduction::verdict(const Gpu& gpu, const Input&, const Tables& rows) {
  const auto& rungs = std::get<std::vector<Rung>>(rows);
  const auto& left = std::get<std::vector<LeftByLink>>(rows);
  const auto faster = [](const Rung& a, const Rung& b) { return a.time < b.time; };
  const Rung& best = *std::min_element(rungs.begin(), rungs.end(), faster);
  std::string text;
  if (rungs.size() > 1) text = fmt::format("Fastest of {}", in_words(static_cast<double>(rungs.size())));
  if (const std::string foreign = foreign_code("reduction", gpu.capability()); !foreign.empty())
    text += fmt::format("{} {}", text.empty() ? "In" : " in", foreign);
  if (!text.empty()) text += ": ";
  text += fmt::format("{} sums {} numbers in {}: {}, {} of {}, bound by {}", best.version, in_words(best.n),
                      in_words(best.time), in_words(best.bandwidth), in_percent(best.of_roof),
                      best.level == "l2" ? "what L2 delivers, where the array stays" : "the read bandwidth",
                      binding(best.bound));
  if (!std::isnan(best.total_gain))
    text += fmt::format(". That is {} times as fast as {}{}", in_words(best.total_gain),
                        rungs.front().version, left_in_words(left, best.version));
  return text + ".";
}

template Reduction::Tables Reduction::predict(const Gpu&, const Input&, Plain&);
template Reduction::Tables Reduction::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
