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
#include <cmath>

namespace perfmodel {

namespace {

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
  return launch_tables(gpu, in, code_of(in), launch, trace);
}

std::string KernelModel::verdict(const Gpu& gpu, const Input& in, const Tables& tables) {
  if (in.launches) return captured_verdict(gpu, in, tables);
  const Summary& s = std::get<0>(tables).front();
  std::string text = fmt::format("{} takes {} on {}, bound by {}: {} from device memory, {} to it",
                                 shortened(written_name(s.kernel), 30), in_words(s.time), gpu.name, s.bound,
                                 amount(s.dram_read), amount(s.dram_written));
  if (in.cache == Caches::cold) text += ", caches cold";
  const auto& instead = std::get<5>(tables);
  const auto best = std::max_element(instead.begin(), instead.end(),
                                     [](const Instead& a, const Instead& b) { return a.gain < b.gain; });
  if (best != instead.end() && best->gain > 1.02)
    text += fmt::format(". Most would help: {}, {} times as fast", best->change, in_words(best->gain));
  return text + ".";
}

template KernelModel::Tables KernelModel::predict(const Gpu&, const Input&, Plain&);
template KernelModel::Tables KernelModel::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
