#include "suffix_sums.hpp"

#include "in_step.hpp"
#include "ladder_question.hpp"
#include "scan_counts.hpp"

#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/trace.hpp"
#include "models/kernel/known_kernels.hpp"
#include "models/simulate/kernel_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

using Version = ScanVersion;

constexpr Bytes word{4};

Bytes array_of(const SuffixSums::Input& in) { return in.n * in.blocks * word; }

void check(const Gpu& gpu, const SuffixSums::Input& in) {
  if (const auto memory = gpu.find(facts::dram_size); memory && array_of(in) > memory->value)
    throw LaunchError(fmt::format("--blocks {:.0f}: {} do not fit the {} of {}", in.blocks,
                                  format_quantity(array_of(in).value, unit_of<Bytes>()),
                                  format_quantity(memory->value.value, unit_of<Bytes>()), gpu.name));
  (void)occupancy(gpu, {.threads_per_block = in.n}); // refuses more threads than a block has
}

// Why the device has no such version; "" where it has. Warps exchange registers since cc 3.0.
std::string lacking(const Gpu& gpu, Version version) {
  const auto at = gpu.lacks.find("throughput.shuffle");
  return version == Version::warps && at != gpu.lacks.end() ? at->second : "";
}

std::string right_of(const Gpu& gpu, Version version, double n) {
  constexpr double warp = 32;
  if (version != Version::unsynchronised || n == 1) return "yes";
  if (n > warp) return "no";
  return right_in_step(gpu);
}

// The launches of one version, of hwdb/kernels/suffix-sums.
class Launches {
public:
  Launches(const Gpu& gpu, Version version, const SuffixSums::Input& in)
      : gpu_(gpu), version_(version), view_(in.view), n_(static_cast<std::int64_t>(in.n)),
        blocks_(static_cast<std::int64_t>(in.blocks)) {}

  const KernelCode& once_code() const { return code_of("scan_once"); }
  // Load, scan, store.
  template <class T> KernelTime once(T& trace) const {
    return time("scan_once", blocks_, fmt::format("numbers={}B,n={}", 4 * n_ * blocks_, n_), trace);
  }
  // One scan of several in a row, from register to register: the difference of many and half as many.
  template <class T> Cycles again(T& trace) const {
    constexpr int scans = 8;
    Unexplained<T> beside(trace); // with the same costs
    const auto cycles = [&](int trips) {
      return time("scan_again", 1, fmt::format("numbers={}B,n={},trips={},spans=32B", 4 * n_, n_, trips),
                  beside.plain)
          .cycles;
    };
    return Cycles{(cycles(2 * scans) - cycles(scans)) / scans};
  }

private:
  const KernelCode& code_of(std::string_view kernel) const {
    return known_kernel("suffix-sums", fmt::format("{}ILNS0_4ScanE{}E", kernel, static_cast<int>(version_)),
                        gpu_.capability());
  }
  template <class T>
  KernelTime time(std::string_view kernel, std::int64_t blocks, const std::string& arguments,
                  T& trace) const {
    const KernelCode& code = code_of(kernel);
    const KernelLaunch launch{.grid = {blocks, 1, 1},
                              .block = {threads_of(n_), 1, 1},
                              .dynamic_shared = static_cast<std::uint64_t>(4 * scan_words(version_, n_)),
                              .arguments = KernelArguments::from_text(arguments)};
    return kernel_time(gpu_, ladder_question(code, launch, RungViews{view_}.simulated()), trace);
  }

  const Gpu& gpu_;
  Version version_;
  RungView view_;
  std::int64_t n_, blocks_;
};

} // namespace

template <class T> SuffixSums::Tables SuffixSums::predict(const Gpu& gpu, const Input& in, T& trace) {
  check(gpu, in);
  std::vector<Row> rows;
  RungViews views{in.view};
  for (std::size_t i = 0; i < names(Version{}).size(); ++i) {
    const auto version = static_cast<Version>(i);
    if (in.version && *in.version != version) continue;
    const std::string_view name = names(version)[i];
    if (const std::string why = lacking(gpu, version); !why.empty()) {
      if (in.version) throw LaunchError(fmt::format("--version {}: {} has {}", name, gpu.name, why));
      trace.say(name, "left out", why);
      continue;
    }
    const Launches launches(gpu, version, in);
    const KernelTime launch = launches.once(trace);
    views.add(name, launches.once_code(), launch);
    const ScanCounts counts = scan_counts(version, static_cast<std::int64_t>(in.n));
    rows.push_back({.version = version,
                    .n = in.n,
                    .blocks = in.blocks,
                    .cycles = launches.again(trace),
                    .time = launch.time,
                    .steps = static_cast<double>(counts.steps),
                    .barriers = static_cast<double>(counts.barriers),
                    .additions = static_cast<double>(counts.additions),
                    .work = in.n > 1 ? static_cast<double>(counts.additions) / (in.n - 1) : absent,
                    .wavefronts = std::round(launch.counts.shared_wavefronts),
                    .instructions = std::round(launch.counts.instructions),
                    .resident = launch.resident,
                    .bound = launch.bound,
                    .right = right_of(gpu, version, in.n)});
    if (rows.size() > 1) rows.back().gain = rows[rows.size() - 2].cycles / rows.back().cycles;
  }
  return views.take_behind(std::move(rows));
}

namespace {
// Of those whose sums are right; nullptr where none are.
const SuffixSums::Row* fastest_right(const std::vector<SuffixSums::Row>& rows) {
  const SuffixSums::Row* best = nullptr;
  for (const SuffixSums::Row& row : rows)
    if (surely_right(row.right) && (best == nullptr || row.cycles < best->cycles)) best = &row;
  return best;
}
} // namespace

const void* SuffixSums::said(const Input&, const Tables& tables) {
  const Row* best = fastest_right(std::get<0>(tables));
  return best == nullptr ? nullptr : &best->cycles;
}

std::string SuffixSums::verdict(const Gpu& gpu, const Input&, const Tables& tables) {
  const std::vector<Row>& rows = std::get<0>(tables);
  const Row* best = fastest_right(rows);
  const auto name = [](const Row& row) { return names(row.version)[static_cast<std::size_t>(row.version)]; };
  const auto cycles = [](const Row& row) { return in_words(row.cycles.value, "cycles"); };
  const std::string foreign = foreign_code("suffix-sums", gpu.capability());
  const std::string code = foreign.empty() ? "." : fmt::format(", in {}.", foreign);
  if (best == nullptr)
    return fmt::format("{} takes {} for a scan of {}, but its sums are not sure to be right{}",
                       name(rows.front()), cycles(rows.front()), in_words(rows.front().n, "numbers"), code);
  const std::string text =
      fmt::format("{} takes {} for a scan of {}, bound by {}{}", name(*best), cycles(*best),
                  in_words(best->n, "numbers"), binding(best->bound), code);
  if (rows.size() == 1) return text;
  const std::string faster =
      best == &rows.front() ? std::string()
                            : fmt::format(" That is {} times as fast as {}.",
                                          in_words(rows.front().cycles / best->cycles), name(rows.front()));
  return "Fastest that is right: " + text + faster;
}

template SuffixSums::Tables SuffixSums::predict(const Gpu&, const Input&, Plain&);
template SuffixSums::Tables SuffixSums::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
