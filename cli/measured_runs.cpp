#include "measured_runs.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfmodel::cli {

namespace {

std::string property(const Properties& of, const std::string& name) {
  for (const auto& [key, value] : of)
    if (key == name) return value;
  return "";
}

std::string from_to(double low, double high, const Unit& unit) {
  const std::string from = format_quantity(low, unit), to = format_quantity(high, unit);
  return from == to ? from : fmt::format("{} to {}", from, to);
}

void add_clock(MeasuredRun& run, const Measurement& of) {
  const std::string text = property(of.conditions, "sm_clock");
  if (text.empty()) return;
  const double clock = parse_quantity_as(text, unit_of<Hertz>());
  run.slowest = std::fmin(run.slowest, clock); // what is absent goes
  run.fastest = std::fmax(run.fastest, clock);
}

MeasuredRun run_of(const Record& record, const std::string& name) {
  MeasuredRun run{.name = name,
                  .date = record.date.substr(0, record.date.find('T')),
                  .on = property(record.device, "name"),
                  .driver = property(record.environment, "driver"),
                  .cuda = property(record.environment, "cuda_runtime"),
                  .revision = record.commit};
  for (const Measurement& of : record.measurements) {
    ++run.probes;
    if (!of.invalid.empty()) continue;
    run.points += of.table.rows();
    add_clock(run, of);
    run.sampled += of.samples.size();
    for (const Samples& samples : of.samples) {
      run.fewest = run.most == 0 ? samples.values.size() : std::min(run.fewest, samples.values.size());
      run.most = std::max(run.most, samples.values.size());
    }
  }
  return run;
}

// What all or several say, each once: "580.159.04".
std::string listed(const std::vector<MeasuredRun>& runs, std::string MeasuredRun::*what) {
  std::vector<std::string> all;
  for (const MeasuredRun& run : runs)
    if (!(run.*what).empty() && std::find(all.begin(), all.end(), run.*what) == all.end())
      all.push_back(run.*what);
  return fmt::format("{}", fmt::join(all, " and "));
}

} // namespace

std::string MeasuredRun::samples() const {
  if (most == 0) return "";
  return fewest == most ? fmt::format("{}", most) : fmt::format("{} to {}", fewest, most);
}

std::string MeasuredRun::clocks() const {
  return std::isnan(slowest) ? "" : from_to(slowest, fastest, unit_of<Hertz>());
}

std::vector<MeasuredRun> measured_runs(const hwdb::Database& database, const Gpu& gpu) {
  std::vector<MeasuredRun> runs;
  for (const std::filesystem::path& file : database.runs_on(gpu))
    runs.push_back(run_of(database.run(file), file.stem().string()));
  return runs;
}

std::string runs_in_words(const Gpu& gpu, const std::vector<MeasuredRun>& runs) {
  if (runs.empty()) return "";
  MeasuredRun all;
  std::string first = runs.front().date, last = first;
  for (const MeasuredRun& run : runs) {
    all.probes += run.probes;
    all.points += run.points;
    all.sampled += run.sampled;
    if (run.most > 0) all.fewest = all.most == 0 ? run.fewest : std::min(all.fewest, run.fewest);
    all.most = std::max(all.most, run.most);
    all.slowest = std::fmin(all.slowest, run.slowest);
    all.fastest = std::fmax(all.fastest, run.fastest);
    first = std::min(first, run.date);
    last = std::max(last, run.date);
  }
  return fmt::format(
      "{}: {} measured in {}, {} to {}: driver {}, CUDA {}, SM clock {}; {} of them are medians of {} to {} "
      "samples each.",
      gpu.name, in_words(static_cast<double>(all.points), "points"),
      in_words(static_cast<double>(runs.size()), "runs"), first, last, listed(runs, &MeasuredRun::driver),
      listed(runs, &MeasuredRun::cuda), all.clocks(), in_words(static_cast<double>(all.sampled)), all.fewest,
      all.most);
}

} // namespace perfmodel::cli
