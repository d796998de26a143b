#include "reduction.hpp"

#include "in_step.hpp"
#include "reduction_time.hpp"

#include "models/access/dram_bandwidth.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/trace.hpp"
#include "models/kernel/known_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace perfmodel {

namespace {

template <class E> std::string_view name_of(E choice) {
  return names(choice)[static_cast<std::size_t>(choice)];
}

void check(const Gpu& gpu, const Reduction::Input& in) {
  if (in.values) throw InputError("--values are the numbers of a picture: ask for it with --draw tree");
  if (in.threads < 64 || in.threads > 1024 || !std::has_single_bit(static_cast<std::uint64_t>(in.threads)))
    throw InputError(fmt::format("--threads {:g}: a power of two from 64 to 1024 is expected", in.threads));
  const Bytes array = in.n * word_of(in.type);
  if (const auto memory = gpu.find(facts::dram_size); memory && array > memory->value)
    throw LaunchError(fmt::format("--n {:.0f}: {} do not fit the {} of {}", in.n,
                                  format_quantity(array.value, unit_of<Bytes>()),
                                  format_quantity(memory->value.value, unit_of<Bytes>()), gpu.name));
  if (in.blocks && in.version && !has_any_grid(*in.version))
    throw InputError(
        fmt::format("--blocks {:.0f}: {} has as many as its array needs; grid-stride, shuffle and "
                    "vector have any number",
                    *in.blocks, name_of(*in.version)));
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
        is_rung(version) && (!in.blocks || has_any_grid(version)) &&
        (version < ReductionVersion::shuffle || has_shuffles(gpu)))
      all.push_back(version);
  return all;
}

// The lanes of the last warp go on without barriers; from then on __syncwarp or a shuffle keeps them
// together, but in the one version that has volatile alone.
std::string right_of(const Gpu& gpu, ReductionVersion version) {
  return version == ReductionVersion::warp_synchronous ? right_in_step(gpu) : "yes";
}

std::string_view does(ReductionType type) {
  return type == ReductionType::min   ? "finds the min of"
         : type == ReductionType::max ? "finds the max of"
                                      : "sums";
}

template <class T>
std::vector<LeftByLink> left_of(const Reduction::Input& in, const std::vector<Reduction::Rung>& rungs,
                                T& trace) {
  std::vector<LeftByLink> rows;
  if (!in.link) return rows;
  const auto array = trace.input("n", in.n) * trace.number(word_of(in.type)),
             sum = trace.number(word_of(in.type));
  for (const Reduction::Rung& rung : rungs)
    rows.push_back(left_by_link(*in.link, rung.version, rung.time, array, sum, trace));
  return with_gains(std::move(rows), "interleaved");
}

} // namespace

template <class T> Reduction::Tables Reduction::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(gpu, in);
  const auto bytes =
      trace.define("bytes", "of the array", trace.input("n", in.n) * trace.number(word_of(in.type)));
  std::vector<Rung> rungs;
  RungViews views{in.view};
  const std::vector<ReductionVersion> versions = versions_on(gpu, in);
  for (const ReductionVersion version : versions) {
    Unexplained<T> other(trace);
    // One launch shows what goes into all of them.
    const ReductionTime sum = rungs.empty() ? reduction_time(gpu, version, in, trace, other.plain)
                                            : reduction_time(gpu, version, in, other.plain, other.plain);
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
                     .fixed = std::string(rungs.empty() ? "" : fixed_by(version)),
                     .bound = sum.bound,
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
                     .right = right_of(gpu, version)});
  }
  std::vector<LeftByLink> left = left_of(in, rungs, trace);
  const ReductionShape shape{versions.front(), in.type, static_cast<std::int64_t>(in.threads),
                             static_cast<std::int64_t>(in.n)};
  std::vector<BlockValue> found;
  if (in.blocks) found = block_values(shape, static_cast<std::int64_t>(rungs.front().blocks));
  std::vector<TreeStep> steps;
  if (in.version && shape.n <= most_shown_steps) steps = tree_steps(shape);
  std::vector<ReductionOrder> orders = reduction_orders(views.instead);
  return views.take_behind(std::move(rungs), std::move(found), std::move(steps), std::move(left),
                           std::move(orders));
}

namespace {
const Reduction::Rung& fastest_of(const std::vector<Reduction::Rung>& rungs) {
  const auto faster = [](const auto& a, const auto& b) { return a.time < b.time; };
  return *std::min_element(rungs.begin(), rungs.end(), faster);
}
} // namespace

const void* Reduction::said(const Input&, const Tables& rows) {
  const auto& rungs = std::get<std::vector<Rung>>(rows);
  return rungs.empty() ? nullptr : &fastest_of(rungs).time;
}

std::string Reduction::verdict(const Gpu& gpu, const Input& in, const Tables& rows) {
  const auto& rungs = std::get<std::vector<Rung>>(rows);
  const auto& left = std::get<std::vector<LeftByLink>>(rows);
  const Rung& best = fastest_of(rungs);
  std::string text;
  if (rungs.size() > 1) text = fmt::format("Fastest of {}", in_words(static_cast<double>(rungs.size())));
  if (const std::string foreign = foreign_code("reduction", gpu.capability()); !foreign.empty())
    text += fmt::format("{} {}", text.empty() ? "In" : " in", foreign);
  if (!text.empty()) text += ": ";
  text +=
      fmt::format("{} {} {} numbers in {}: {}, {} of {}, bound by {}", best.version, does(in.type),
                  in_words(best.n), in_words(best.time), in_words(best.bandwidth), in_percent(best.of_roof),
                  best.level == "l2" ? "what L2 delivers, where the array stays" : "the read bandwidth",
                  binding(best.bound));
  if (!surely_right(best.right)) text += ", but is not sure to be right";
  if (!std::isnan(best.total_gain))
    text += fmt::format(". That is {} times as fast as {}{}", in_words(best.total_gain),
                        rungs.front().version, left_in_words(left, best.version));
  return text + ".";
}

template Reduction::Tables Reduction::predict(const Gpu&, const Input&, Plain&);
template Reduction::Tables Reduction::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
