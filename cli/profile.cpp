#include "profile.hpp"

#include "hwdb/profile_file.hpp"
#include "hwdb/text_file.hpp"
#include "models/bounds/profile_roofs.hpp"
#include "models/bounds/roofline.hpp"
#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"
#include "models/views/kernel.hpp"
#include "models/views/kernel_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <set>

namespace perfmodel::cli {

namespace {

constexpr std::size_t most_sentences = 5; // of the kernels that take longest; the table has all

GivenProfile read(const std::string& file, std::string_view text) {
  GivenProfile profile{.file = file};
  const std::vector<ProfiledLaunch> launches = hwdb::parse_profile(text, file);
  try {
    profile.kernels = by_kernel(launches);
    for (const ProfiledKernel& kernel : profile.kernels) work_of(kernel); // throws what is wrong with it
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", file, e.what()));
  }
  profile.names = short_names(profile.kernels);
  profile.caches_kept =
      text.find("uncontrolled GPU caches") != std::string_view::npos; // --cache-control none
  return profile;
}

std::string text_of(const std::string& file) {
  if (std::filesystem::path(file).extension() == ".ncu-rep")
    throw InputError(fmt::format("{0} is a report of ncu's own: ncu --import {0} --csv --page raw writes the "
                                 "CSV that is read here",
                                 file));
  return hwdb::read_text(file, hwdb::most_profile_bytes);
}

// The rows of a further GPU go below.
void add_table(std::vector<Table>& tables, Table table) {
  const auto same = std::find_if(tables.begin(), tables.end(),
                                 [&](const Table& known) { return known.title == table.title; });
  if (same == tables.end())
    tables.push_back(std::move(table));
  else
    append_rows(*same, table);
}

void note_other_capability(const Gpu& gpu, const GivenProfile& profile, Result& result) {
  std::set<std::string> others;
  for (const ProfiledKernel& kernel : profile.kernels)
    if (!kernel.capability.empty() && kernel.capability != gpu.architecture) others.insert(kernel.capability);
  if (!others.empty())
    result.notes.push_back(
        fmt::format("the profile is of compute capability {}, {} is of {}: these roofs are "
                    "not those that the kernels ran under",
                    fmt::join(others, ", "), gpu.name, gpu.architecture));
}

void add_roofs(std::span<const Gpu> gpus, const GivenProfile& profile, Basis basis, Result& result) {
  std::vector<Table> tables;
  result.verdict.clear(); // it counts a kernel at each of its levels
  for (const Gpu& gpu : gpus) {
    ProfiledRoofs roofs = roofs_of(gpu, profile.kernels, profile.names, basis);
    if (roofs.verdicts.empty())
      throw InputError(fmt::format("{}: {}", profile.file, missing_in_words(profile.kernels)));
    const std::size_t more =
        roofs.verdicts.size() > most_sentences ? roofs.verdicts.size() - most_sentences : 0;
    roofs.verdicts.resize(roofs.verdicts.size() - more);
    for (std::string& sentence : roofs.verdicts)
      result.verdict.push_back(gpus.size() > 1 ? fmt::format("{}: {}", gpu.name, sentence)
                                               : std::move(sentence));
    if (more > 0)
      result.verdict.push_back(
          fmt::format("{} that take less time: in the table.",
                      more == 1 ? "1 more kernel" : fmt::format("{} more kernels", more)));
    add_table(tables, std::move(roofs.table));
    note_other_capability(gpu, profile, result);
  }
  result.tables.insert(result.tables.begin(), std::make_move_iterator(tables.begin()),
                       std::make_move_iterator(tables.end()));
  if (std::string missing = missing_in_words(profile.kernels); !missing.empty())
    result.notes.push_back(std::move(missing));
}

void add_counters(Context& context, std::span<const Gpu> gpus, const GivenProfile& profile, double limit,
                  Result& result) {
  std::vector<Table> tables;
  std::vector<std::string> verdicts;
  std::size_t over = 0, times = 0;
  for (const Gpu& gpu : gpus) {
    BesideProfile beside = beside_profile(gpu, result, profile.kernels);
    for (Table& table : beside.tables) add_table(tables, std::move(table));
    verdicts.push_back(std::move(beside.verdict));
    result.notes.insert(result.notes.end(), beside.notes.begin(), beside.notes.end());
    over += errors_over(beside.time_errors, limit);
    times += beside.time_errors.size();
  }
  if (!std::isnan(limit)) {
    if (times == 0) throw InputError(fmt::format("--fail-over: {}", verdicts.front()));
    verdicts.push_back(over == 0 ? fmt::format("No time is off by more than {}.", in_percent(limit))
                                 : fmt::format("{} of {} {} off by more than {}.", over,
                                               times == 1 ? "1 time" : fmt::format("{} times", times),
                                               over == 1 ? "is" : "are", in_percent(limit)));
    if (over > 0) context.exit_code = 1;
  }
  result.verdict.insert(result.verdict.begin(), verdicts.begin(), verdicts.end());
  result.tables.insert(result.tables.begin(), std::make_move_iterator(tables.begin()),
                       std::make_move_iterator(tables.end()));
}

double limit_of(const std::string& text) {
  if (text.empty()) return absent;
  double limit = 0;
  try {
    limit = parse_quantity_as(text, {"fraction", {}});
  } catch (const InputError& e) {
    throw InputError(fmt::format("--fail-over: {}", e.what()));
  }
  if (!(limit >= 0)) throw InputError("--fail-over: an error such as 10% is expected");
  return limit;
}

} // namespace

std::optional<GivenProfile> given_profile(const Model& model, const ProfileOptions& options,
                                          std::string& measured_file,
                                          std::map<std::string, std::string>& inputs) {
  const bool is_roofline = model.info.name == Roofline::info.name;
  limit_of(options.fail_over);
  std::optional<GivenProfile> profile;
  if (!options.file.empty()) {
    profile = read(options.file, text_of(options.file));
  } else if (!measured_file.empty() && std::filesystem::path(measured_file).extension() != ".json") {
    if (const std::string text = text_of(measured_file); hwdb::is_profile(text)) {
      if (!is_roofline && model.info.name != KernelModel::info.name)
        throw InputError(fmt::format("--measured: {} is a profile of ncu, which roofline and kernel take; {} "
                                     "takes a run of our probes",
                                     measured_file, model.info.name));
      profile = read(measured_file, text);
      measured_file.clear();
    }
  }
  if (!options.fail_over.empty() && !profile)
    throw InputError("--fail-over is of a profile: name the CSV that ncu wrote with --measured");
  if (!profile) return profile;
  if (is_roofline) {
    for (const char* own : {"points", "flops", "bytes", "intensity", "time", "level"})
      if (!inputs[own].empty())
        throw InputError(fmt::format("--{} does not go with a profile: ask one by one", own));
    if (!points_of(profile->kernels, profile->names).empty()) inputs["points"] = profile->file;
  } else {
    if (inputs["timed"].empty()) inputs["timed"] = "profiler"; // whose times the profile has
    if (inputs["cache"].empty() && profile->caches_kept) inputs["cache"] = "warm";
  }
  return profile;
}

void add_profile(Context& context, const Model& model, std::span<const Gpu> gpus, const GivenProfile& profile,
                 const ProfileOptions& options, const std::map<std::string, std::string>& inputs,
                 Result& result) {
  if (model.info.name != Roofline::info.name)
    return add_counters(context, gpus, profile, limit_of(options.fail_over), result);
  const auto basis = inputs.find("basis");
  add_roofs(gpus, profile,
            basis != inputs.end() && basis->second == "measured" ? Basis::measured : Basis::spec, result);
}

} // namespace perfmodel::cli
