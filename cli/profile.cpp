#include "profile.hpp"

#include "beside_benchmarks.hpp"
#include "given_share.hpp"
#include "how_it_begins.hpp"
#include "profile_before.hpp"
#include "profiled_kernels.hpp"

#include "hwdb/benchmark_file.hpp"
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
#include <system_error>

namespace perfmodel::cli {

namespace {

constexpr std::size_t most_sentences = 5; // of the kernels that take longest; the table has all

// The runs of a benchmark are told apart by their names alone.
GivenProfile read_benchmarks(const std::string& file, std::string_view text) {
  hwdb::Benchmarks all = hwdb::parse_benchmarks(text, file);
  GivenProfile profile{.file = file, .kernels = by_kernel(all.runs)};
  for (const ProfiledKernel& run : profile.kernels) profile.names.push_back(run.kernel);
  profile.tool = std::move(all.tool), profile.told = std::move(all.notes);
  return profile;
}

GivenProfile read(const std::string& file, std::string_view text) {
  if (hwdb::is_benchmarks(text)) return read_benchmarks(file, text);
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

// A sweep of ours that is longer than any profile.
bool is_long_result(const std::string& file) {
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(file, none);
  return std::filesystem::path(file).extension() == ".json" && !none && size > hwdb::most_profile_bytes;
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

std::string missing_of(const GivenProfile& profile) {
  return profile.tool == "ncu" ? missing_in_words(profile.kernels)
                               : missing_of_benchmarks(profile.kernels, profile.names, profile.tool);
}

void add_roofs(std::span<const Gpu> gpus, const GivenProfile& profile, Basis basis, std::size_t most,
               bool every_level, Result& result) {
  std::vector<Table> tables;
  result.verdict.clear(); // it counts a kernel at each of its levels
  for (const Gpu& gpu : gpus) {
    const KernelsOfGpu own = kernels_of(gpu, profile.kernels, profile.names, result.notes);
    ProfiledRoofs roofs = roofs_of(gpu, own.kernels, own.names, basis);
    if (roofs.verdicts.empty()) throw InputError(fmt::format("{}: {}", profile.file, missing_of(profile)));
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
    note_untimed(own, result.notes);
    roofs.table = longest_of(roofs.table, most, result.notes);
    keep_points(result, roofs.table, every_level);
    add_table(tables, std::move(roofs.table));
  }
  result.tables.insert(result.tables.begin(), std::make_move_iterator(tables.begin()),
                       std::make_move_iterator(tables.end()));
  if (std::string missing = missing_of(profile); !missing.empty()) result.notes.push_back(std::move(missing));
}

// `arguments`: of the launch, where the answer has no column of them.
void add_counters(Context& context, std::span<const Gpu> gpus, const GivenProfile& profile, double limit,
                  const std::string& arguments, Result& result) {
  std::vector<Table> tables;
  std::vector<std::string> verdicts;
  std::size_t over = 0, times = 0;
  for (const Gpu& gpu : gpus) {
    BesideProfile beside = profile.tool == "ncu"
                               ? beside_profile(gpu, result, profile.kernels)
                               : beside_benchmarks(gpu, result, profile.kernels, profile.tool, arguments);
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

double limit_of(const std::string& text) { return text.empty() ? absent : given_share("--fail-over", text); }

// The verdict goes first: whoever asks for it wants to know whether anything got worse.
void add_before(Context& context, const GivenProfile& profile, const ProfileOptions& options,
                std::size_t most, Result& result) {
  const double limit = limit_of(options.fail_over);
  const GivenProfile before = read(options.before, text_of(options.before));
  BesideBefore beside = beside_before(profile.kernels, profile.names, before.kernels, options.before, limit);
  const std::size_t rows = beside.table.rows();
  beside.table = rows_where(beside.table, [&](std::size_t row) { return row < most; });
  if (rows > most)
    beside.table.notes.push_back(fmt::format("{} more: --top {} shows all.", rows - most, rows));
  result.verdict.insert(result.verdict.begin(), std::move(beside.verdict));
  result.tables.insert(result.tables.begin(), std::move(beside.table));
  result.notes.insert(result.notes.end(), beside.notes.begin(), beside.notes.end());
  if (beside.slower > 0) context.exit_code = 1;
}

// Of a launch that nobody described, those of the listing that is shipped.
std::string arguments_of(const Model& model, const std::map<std::string, std::string>& inputs) {
  const auto given = [&](const char* name) {
    const auto at = inputs.find(name);
    return at != inputs.end() ? at->second : std::string();
  };
  if (!given("arg").empty() || !given("launches").empty()) return given("arg");
  const Option* option = model.find("arg");
  return option != nullptr ? option->default_text : "";
}

} // namespace

std::optional<GivenProfile> given_profile(const Model& model, const ProfileOptions& options,
                                          std::string& measured_file,
                                          std::map<std::string, std::string>& inputs) {
  const bool is_roofline = model.info.name == Roofline::info.name;
  limit_of(options.fail_over);
  std::optional<GivenProfile> profile;
  if (!options.file.empty()) {
    const std::string text = text_of(options.file);
    if (!hwdb::is_benchmarks(text) && !hwdb::is_profile(text))
      throw InputError(fmt::format("{} is no profile that ncu --csv wrote and no result of nvbench, Google "
                                   "Benchmark or BabelStream{}",
                                   options.file, how_it_begins(text)));
    profile = read(options.file, text);
  } else if (!measured_file.empty() && !is_long_result(measured_file)) {
    const std::string text = text_of(measured_file);
    if (const bool benchmarks = hwdb::is_benchmarks(text); benchmarks || hwdb::is_profile(text)) {
      if (!is_roofline && model.info.name != KernelModel::info.name)
        throw InputError(fmt::format("--measured: {} is a {}, which roofline and kernel take; {} "
                                     "takes a run of our probes",
                                     measured_file, benchmarks ? "result of a benchmark" : "profile of ncu",
                                     model.info.name));
      profile = read(measured_file, text);
      measured_file.clear();
    } else if (const std::size_t first = text.find_first_not_of(" \t\r\n");
               (is_roofline || model.info.name == KernelModel::info.name) &&
               std::filesystem::path(measured_file).extension() != ".json" &&
               (first == std::string::npos || (text[first] != '{' && text[first] != '['))) {
      throw InputError(fmt::format("{} is no profile that ncu --csv wrote, no result of a benchmark and no "
                                   "run of 'perfmodel measure'{}",
                                   measured_file, how_it_begins(text)));
    }
  }
  if (!options.top.empty() && !profile) throw InputError("--top is of a profile: name it with --profile");
  if (!options.fail_over.empty() && !profile)
    throw InputError(fmt::format("--fail-over is of a profile: name the CSV that ncu wrote with {}",
                                 is_roofline ? "--profile" : "--measured"));
  if (!options.before.empty() && !profile)
    throw InputError("--before is of a profile: name what the program does now with --profile");
  if (is_roofline && !options.fail_over.empty() && options.before.empty())
    throw InputError("--fail-over is of two profiles: name the earlier one with --before");
  if (!profile) return profile;
  if (is_roofline) {
    for (const char* own : {"points", "flops", "bytes", "intensity", "time", "level"})
      if (!inputs[own].empty())
        throw InputError(fmt::format("--{} does not go with a profile: ask one by one", own));
    if (!points_of(profile->kernels, profile->names).empty()) inputs["points"] = profile->file;
  } else {
    if (inputs["timed"].empty()) // whose times the profile has
      inputs["timed"] = profile->tool == "ncu" ? "profiler" : "events";
    if (inputs["cache"].empty() && profile->caches_kept) inputs["cache"] = "warm";
    // ncu emptied them before each launch, whatever came before it where the launches were captured.
    if (inputs["cache"].empty() && profile->tool == "ncu" && !inputs["launches"].empty())
      inputs["cache"] = "cold";
  }
  return profile;
}

void add_profile(Context& context, const Model& model, std::span<const Gpu> gpus, const GivenProfile& profile,
                 const ProfileOptions& options, const std::map<std::string, std::string>& inputs,
                 bool is_data, Result& result) {
  result.notes.insert(result.notes.end(), profile.told.begin(), profile.told.end());
  if (model.info.name != Roofline::info.name)
    return add_counters(context, gpus, profile, limit_of(options.fail_over), arguments_of(model, inputs),
                        result);
  const auto basis = inputs.find("basis");
  add_roofs(gpus, profile,
            basis != inputs.end() && basis->second == "measured" ? Basis::measured : Basis::spec,
            most_kernels(options.top, is_data), options.every_level, result);
  if (!options.before.empty())
    add_before(context, profile, options, most_kernels(options.top, is_data), result);
}

} // namespace perfmodel::cli
