#include "points_file.hpp"

#include "hwdb/benchmark_file.hpp"
#include "hwdb/profile_file.hpp"
#include "hwdb/result_file.hpp"
#include "hwdb/text_file.hpp"
#include "models/bounds/points.hpp"
#include "models/bounds/profile_work.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <string_view>

namespace perfmodel::cli {

namespace {

constexpr std::size_t most_csv = 100u << 20;

bool is_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos &&
         (text[first] == '{' || text[first] == '['); // no column's name begins so
}

std::string points_of_profile(std::string_view text, const std::string& file) {
  const std::vector<ProfiledKernel> kernels = by_kernel(hwdb::parse_profile(text, file));
  const RooflinePoints points{points_of(kernels, short_names(kernels))};
  if (points.points.empty()) throw InputError(fmt::format("{}: {}", file, missing_in_words(kernels)));
  return points.to_csv();
}

std::string points_of_benchmarks(std::string_view text, const std::string& file) {
  const hwdb::Benchmarks all = hwdb::parse_benchmarks(text, file);
  const std::vector<ProfiledKernel> runs = by_kernel(all.runs);
  std::vector<std::string> names;
  for (const ProfiledKernel& run : runs) names.push_back(run.kernel);
  const RooflinePoints points{points_of(runs, names)};
  if (points.points.empty())
    throw InputError(fmt::format("{}: no benchmark of {} with a time, bytes and operations; --profile shows "
                                 "what their bytes alone reach",
                                 file, all.tool));
  return points.to_csv();
}

} // namespace

std::string points_csv(const std::string& file) {
  std::string text = hwdb::read_text(file, hwdb::most_result_bytes);
  if (text.size() <= most_csv && hwdb::is_benchmarks(text)) return points_of_benchmarks(text, file);
  if (!is_json(text) && text.size() > most_csv) throw InputError(file + " is larger than 100 MiB");
  if (!is_json(text) && hwdb::is_profile(text)) return points_of_profile(text, file);
  if (!is_json(text)) return text;
  const Record record = hwdb::record_from_json(text, file);
  if (!record.measurements.empty())
    throw InputError(file + " is a run of our probes: --measured draws those, --points takes predictions");
  try {
    return RooflinePoints::from_result(record.result).to_csv();
  } catch (const InputError& e) { // "points: ..."
    throw InputError(file + std::string(e.what()).substr(std::string_view("points").size()));
  }
}

} // namespace perfmodel::cli
