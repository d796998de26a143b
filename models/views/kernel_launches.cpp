#include "kernel_launches.hpp"

#include "kernel_rows.hpp"
#include "listing_functions.hpp"
#include "same_kernel.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"
#include "models/kernel/captured_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <memory>
#include <optional>

namespace perfmodel {

namespace {

std::string letters_of(std::string_view text) {
  std::string letters;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)))
      letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

// "H200" of "NVIDIA H200", "A100" of "NVIDIA A100-SXM4-80GB": the first word with a digit.
std::string product_of(std::string_view title) {
  for (std::size_t at = 0; at < title.size();) {
    const std::size_t end = std::min(title.find_first_of(" -", at), title.size());
    const std::string_view word = title.substr(at, end - at);
    if (word.find_first_of("0123456789") != word.npos) return letters_of(word);
    at = end + 1;
  }
  return letters_of(title);
}

bool has_median(const CapturedLaunch& launch) { return launch.times && launch.times->median > 0; }

// Where what memory held decides what is done, of the launch that came when it held that.
void add_measured(KernelModel::Summary& row, const CapturedLaunch& launch) {
  const bool of_first = row.goes_by_contents && launch.first_time;
  if (!of_first && !has_median(launch)) return;
  row.measured = Seconds(1e-9 * static_cast<double>(of_first ? *launch.first_time : launch.times->median));
  row.error = row.time / row.measured - 1;
  row.runs = of_first ? 1 : static_cast<Count>(launch.times->count);
}

// Whether each array was used by the launch before, and next to nothing else since.
bool finds_its_own(const CapturedLaunch& launch) {
  constexpr std::uint64_t next_to_nothing = 1U << 20; // bytes
  return std::all_of(
      launch.others_since.begin(), launch.others_since.end(),
      [](const std::optional<std::uint64_t>& since) { return since && *since < next_to_nothing; });
}

// Where the caller does not say it: a median of launches in a row is that of launches that found in L2 what
// the one before left, others found what other launches left, as far as that is known. A copy to the host, as
// for the contents of memory, leaves L2 as it was, assumed of more than 32 MiB. (An H200, 30 November 2026,
// cycles of one of 200 loads: 371 to 384 of 32 KiB to 32 MiB that were just used, 370 to 385 where as much
// else was copied to the host since.)
Caches caches_of(const KernelModel::Input& in, const CapturedLaunch& launch) {
  if (in.cache) return *in.cache;
  const bool in_a_row = launch.in_a_row > 0 && launch.in_a_row >= launch.count - launch.in_a_row;
  if (in_a_row && has_median(launch) && finds_its_own(launch)) return Caches::warm;
  return launch.others_since.empty() ? Caches::cold : Caches::left;
}

// As it came first, behind none like it.
CapturedLaunch as_it_came_first(CapturedLaunch launch) {
  if (launch.count > 1) launch.others_since = std::move(launch.first_others_since);
  launch.in_a_row = 0;
  return launch;
}

// First as if nothing were known of what memory holds: most kernels do the same whatever it is, and their
// loops need not be followed trip by trip. Where it decides something, with what it held.
template <class T>
KernelModel::Tables captured_launch_tables(const Gpu& gpu, const KernelModel::Input& in,
                                           const std::shared_ptr<const KernelCode>& code,
                                           const CapturedLaunch& launch, T& trace) {
  const std::string& memory = in.launches->memory;
  const Caches caches = caches_of(in, launch);
  if (memory.empty() || launch.contents.empty())
    return launch_tables(gpu, in, code, launch_of(launch), caches, trace);
  std::optional<KernelModel::Tables> without;
  try {
    without = launch_tables(gpu, in, code, launch_of(launch), caches, trace);
    if (!std::get<0>(*without).front().assumes_data) return std::move(*without);
  } catch (const MissingFact&) {
    throw;
  } catch (const InputError&) { // it goes by what it loads
  }
  // The launch that came when memory held that is the first.
  const CapturedLaunch timed = launch.first_time ? as_it_came_first(launch) : launch;
  try {
    KernelModel::Tables tables =
        launch_tables(gpu, in, code, launch_of(timed, memory), caches_of(in, timed), trace);
    if (!launch.first_time || std::get<0>(tables).front().goes_by_contents) return tables;
    return launch_tables(gpu, in, code, launch_of(launch, memory), caches, trace);
  } catch (const InputError&) {
    if (without) return std::move(*without);
    throw;
  }
}

template <class Rows> void append_numbered(Rows& rows, Rows& more, Count number) {
  for (auto& row : more) {
    row.number = number;
    rows.push_back(std::move(row));
  }
}

void append_launch(KernelModel::Tables& all, KernelModel::Tables& one, Count number) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (append_numbered(std::get<I>(all), std::get<I>(one), number), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<KernelModel::Tables>>());
}

// Of the launches' times together: each as often as it ran.
struct Sums {
  double predicted = 0, measured = 0;
  const KernelModel::Summary *least = nullptr, *most = nullptr; // by their errors
};
Sums sums_of(const std::vector<KernelModel::Summary>& rows) {
  Sums sums;
  for (const KernelModel::Summary& row : rows) {
    if (std::isnan(row.error)) continue;
    sums.predicted += row.runs * row.time.value;
    sums.measured += row.runs * row.measured.value;
    if (sums.least == nullptr || row.error < sums.least->error) sums.least = &row;
    if (sums.most == nullptr || row.error > sums.most->error) sums.most = &row;
  }
  return sums;
}

std::string count_of_launches(std::size_t count) {
  return count == 1 ? "1 launch" : fmt::format("{} launches", count);
}

// Of launches none of which is predicted: each reason once, with the first launch that has it and how many
// there are.
std::string why_none(const std::vector<KernelModel::Missing>& missing) {
  std::vector<const KernelModel::Missing*> firsts;
  std::string text;
  for (const KernelModel::Missing& one : missing) {
    if (std::any_of(firsts.begin(), firsts.end(), [&](const auto* first) { return first->why == one.why; }))
      continue;
    firsts.push_back(&one);
    const auto alike = std::count_if(missing.begin(), missing.end(),
                                     [&](const KernelModel::Missing& other) { return other.why == one.why; });
    text += fmt::format("{}launch {}, of {}{}: {}", text.empty() ? "" : "; ", one.number,
                        quoted(shortened(one.kernel)),
                        alike > 1 ? fmt::format(", and {} more", alike - 1) : "", one.why);
    if (one.why == KernelModel::Missing::not_listed)
      text += fmt::format("; {}", KernelModel::Missing::of_a_library);
  }
  if (missing.size() == 1) return text;
  return fmt::format("none of {} is predicted: {}", count_of_launches(missing.size()), text);
}

} // namespace

bool is_the_same_gpu(const CapturedGpu& measured, const Gpu& gpu) {
  const std::string product = product_of(measured.name);
  return measured.capability == gpu.architecture && !product.empty() &&
         letters_of(gpu.title).find(product) != std::string::npos;
}

std::string more_or_less(double error) {
  return fmt::format("{:.1f} % {}", 100 * std::fabs(error), error < 0 ? "less" : "more");
}

template <class T>
KernelModel::Tables captured_tables(const Gpu& gpu, const KernelModel::Input& in, T& trace) {
  const CapturedLaunches& captured = *in.launches;
  ListingFunctions& functions = functions_read(in.listing.listing);
  KernelModel::Tables all;
  auto& missing = std::get<std::vector<KernelModel::Missing>>(all);
  std::optional<MissingFact> lacking; // of the GPU; launches of other code may do without
  for (std::size_t i = 0; i < captured.launches.size(); ++i) {
    const CapturedLaunch& launch = captured.launches[i];
    if (launch.kernel.find(in.kernel) == std::string::npos) continue;
    const auto number = static_cast<Count>(i + 1);
    if (!functions.contain(launch.kernel)) {
      missing.push_back({number, launch.kernel, std::string(KernelModel::Missing::not_listed)});
      continue;
    }
    if (launch.of_host) {
      missing.push_back({number, launch.kernel,
                         "an argument points into memory of the host, which the GPU reaches over its link: "
                         "only device memory is simulated"});
      continue;
    }
    try {
      const std::shared_ptr<const KernelCode> code = functions.launched(launch);
      KernelModel::Tables one = captured_launch_tables(gpu, in, code, launch, trace);
      KernelModel::Summary& row = std::get<0>(one).front();
      row.arguments = arguments_text(launch);
      if (launch.managed) // else its pages move while the kernel runs
        row.assumes += (row.assumes.empty() ? "" : ", ") + std::string("managed memory is on the GPU");
      if (is_the_same_gpu(captured.gpus[launch.gpu], gpu)) add_measured(row, launch);
      append_launch(all, one, number);
    } catch (const InputError& e) {
      if (const auto* of_gpu = dynamic_cast<const MissingFact*>(&e)) lacking = *of_gpu;
      missing.push_back({number, launch.kernel, e.what()});
    }
  }
  if (!std::get<0>(all).empty()) return all;
  if (lacking) throw *lacking;
  if (missing.empty())
    throw InputError(
        captured.launches.empty()
            ? "launches: the program that was captured launched no kernel"
            : fmt::format("launches: no kernel that was launched has {} in its name", quoted(in.kernel)));
  throw InputError(why_none(missing));
}

std::string captured_verdict(const Gpu& gpu, const KernelModel::Input& in,
                             const KernelModel::Tables& tables) {
  const auto& rows = std::get<0>(tables);
  const auto& missing = std::get<std::vector<KernelModel::Missing>>(tables);
  const auto longest = std::max_element(
      rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.time.value < b.time.value; });
  std::string text =
      fmt::format("{} of {} on {}; {} takes longest, {}, bound by {}", count_of_launches(rows.size()),
                  in.launches->command.empty() ? "the file" : shortened(in.launches->command, 30), gpu.name,
                  shortened(written_name(longest->kernel), 30), in_words(longest->time), longest->bound);
  if (const Sums sums = sums_of(rows); sums.least != nullptr) {
    text += fmt::format(". All that ran: {} predicted, {} than the {} measured",
                        in_words(Seconds(sums.predicted)), more_or_less(sums.predicted / sums.measured - 1),
                        in_words(Seconds(sums.measured)));
    if (sums.least != sums.most)
      text += fmt::format("; of one launch {} to {}", more_or_less(sums.least->error),
                          more_or_less(sums.most->error));
  }
  if (!missing.empty()) text += fmt::format(". Not predicted: {}", count_of_launches(missing.size()));
  return text + ".";
}

template KernelModel::Tables captured_tables(const Gpu&, const KernelModel::Input&, Plain&);
template KernelModel::Tables captured_tables(const Gpu&, const KernelModel::Input&, Recorder&);

} // namespace perfmodel
