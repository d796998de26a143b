#include "kernel.hpp"

#include "kernel_launches.hpp"
#include "kernel_rows.hpp"
#include "same_kernel.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"
#include "models/kernel/known_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace perfmodel {

namespace {

constexpr double sectors_side_by_side = 4; // of 32 lanes with 4 bytes each

// A listing is read once for all points of a sweep that ask about it.
std::shared_ptr<const KernelCode> code_of(const KernelModel::Input& in) {
  struct Read {
    std::string listing, name;
    std::shared_ptr<const KernelCode> code;
  };
  thread_local std::unique_ptr<Read> last;
  if (!last || last->name != in.kernel || last->listing != in.listing.listing)
    last = std::make_unique<Read>(
        Read{in.listing.listing, in.kernel,
             std::make_shared<KernelCode>(read_listing(in.listing.listing, in.kernel))});
  return last->code;
}

std::string amount(Bytes bytes) { return std::isnan(bytes.value) ? "nothing" : in_words(bytes); }

std::string roof_of(const KernelRoof& at) {
  if (at.roof == "compute")
    return fmt::format("the {} peak", names(Precision{})[static_cast<std::size_t>(at.precision)]);
  constexpr auto of = std::to_array<std::string_view>({"device memory", "L2", "L1", "shared memory"});
  return fmt::format("the roof of {}", of[static_cast<std::size_t>(at.level)]);
}

// Where it stands on the roofline of device memory, and the roof that it is nearest to, if that is another.
std::string on_the_roofline(const std::vector<KernelRoof>& roofs) {
  if (roofs.empty() || roofs.front().level != Level::dram) return "";
  const KernelRoof& far = roofs.front();
  const auto nearest = std::max_element(roofs.begin(), roofs.end(),
                                        [](const auto& a, const auto& b) { return a.of_roof < b.of_roof; });
  std::string text = fmt::format(" At {} of device memory it reaches {} of {}", in_words(far.intensity),
                                 in_percent(far.of_roof), far.roof == "compute" ? roof_of(far) : "its roof");
  if (nearest != roofs.begin() && roof_of(*nearest) != roof_of(far))
    text += fmt::format("; nearest is {}, {}", roof_of(*nearest), in_percent(nearest->of_roof));
  return text + ".";
}

// What its accesses lose to one another.
std::string contention(const KernelModel::Summary& launch,
                       const std::vector<KernelModel::Accesses>& accesses) {
  std::string text;
  for (const KernelModel::Accesses& of : accesses) {
    if (of.least && of.sectors > 1.05 * *of.least)
      text += fmt::format(" Conflicts in shared memory: {} times the wavefronts that it would take without.",
                          in_words(of.sectors / *of.least));
    if (of.memory == "global loads" && launch.assumes_data && of.each > sectors_side_by_side)
      text += fmt::format(" Loads that go by data scatter: {} sectors a request; {} where words of 4 B lie "
                          "side by side.",
                          in_words(of.each), in_words(sectors_side_by_side));
  }
  if (launch.bound == "atomic counter") text += " Atomic operations on a word wait for one another.";
  return text;
}

} // namespace

Listing Listing::from_text(std::string_view text) {
  for (const KnownListing& one : known_listings())
    if (one.family == text) return {std::string(one.text)};
  return {std::string(text)};
}

template <class T> KernelModel::Tables KernelModel::predict(const Gpu& gpu, const Input& in, T& trace) {
  if (in.launches) return captured_tables(gpu, in, trace);
  const KernelLaunch launch{.grid = in.grid,
                            .block = in.block,
                            .dynamic_shared = static_cast<std::uint64_t>(in.shared.value),
                            .arguments = in.arg};
  return launch_tables(gpu, in, code_of(in), launch, in.cache.value_or(Caches::cold), trace);
}

std::string KernelModel::verdict(const Gpu& gpu, const Input& in, const Tables& tables) {
  if (in.launches) return captured_verdict(gpu, in, tables);
  const Summary& s = std::get<0>(tables).front();
  std::string text = fmt::format("{} takes {} on {}, bound by {}: {} from device memory, {} to it",
                                 shortened(written_name(s.kernel), 30), in_words(s.time), gpu.name, s.bound,
                                 amount(s.dram_read), amount(s.dram_written));
  if (s.cache == "cold") text += ", caches cold";
  text +=
      "." + on_the_roofline(std::get<std::vector<KernelRoof>>(tables)) + contention(s, std::get<1>(tables));
  if (s.leaves_arrays) text += " Some accesses lie outside of its arrays: check --arg.";
  const auto& instead = std::get<5>(tables);
  const auto best = std::max_element(instead.begin(), instead.end(),
                                     [](const Instead& a, const Instead& b) { return a.gain < b.gain; });
  if (best != instead.end() && best->gain > 1.02)
    text += fmt::format(" Most would help: {}, {} times as fast.", best->change, in_words(best->gain));
  return text;
}

template KernelModel::Tables KernelModel::predict(const Gpu&, const Input&, Plain&);
template KernelModel::Tables KernelModel::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
