#include "profiled_kernels.hpp"

#include "models/bounds/profile_work.hpp"
#include "models/bounds/roofline.hpp"
#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string_view>

namespace perfmodel::cli {

namespace {

constexpr std::string_view no_point = "No point of "; // how the note begins

constexpr std::size_t most_shown = 20, most_named = 3;

bool ran_elsewhere(const ProfiledKernel& kernel, const Gpu& gpu) {
  return !kernel.capability.empty() && kernel.capability != gpu.architecture;
}

// "a, b and 4 more".
std::string named(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), most_named);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : ", ") + shortened(names[i], 40);
  return names.size() > shown ? fmt::format("{} and {} more", text, names.size() - shown) : text;
}

std::string nearest_level(const Table& shown, std::size_t row) {
  std::string nearest;
  double most = 0;
  for (const auto& [column, level] : {std::pair{"of_dram", "dram"}, {"of_l2", "l2"}, {"of_l1", "l1"}})
    if (const double share = shown.at(column).number(row); share > most) most = share, nearest = level;
  return nearest;
}

} // namespace

KernelsOfGpu kernels_of(const Gpu& gpu, const std::vector<ProfiledKernel>& kernels,
                        const std::vector<std::string>& names, std::vector<std::string>& notes) {
  KernelsOfGpu own;
  std::set<std::string> others;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (ran_elsewhere(kernels[i], gpu)) {
      others.insert(kernels[i].capability);
    } else {
      own.kernels.push_back(kernels[i]);
      own.names.push_back(names[i]);
    }
  if (others.empty()) return own;
  if (!own.kernels.empty()) {
    notes.push_back(fmt::format(
        "the profile is of several GPUs: {} that ran on compute capability {} {} left "
        "out beside {}",
        kernels.size() - own.kernels.size() == 1
            ? "1 kernel"
            : fmt::format("{} kernels", kernels.size() - own.kernels.size()),
        fmt::join(others, ", "), kernels.size() - own.kernels.size() == 1 ? "is" : "are", gpu.name));
    return own;
  }
  throw InputError(
      fmt::format("the profile is of compute capability {}, {} is of {}: its roofs are not those that "
                  "the kernels ran under",
                  fmt::join(others, ", "), gpu.name, gpu.architecture));
}

void note_untimed(const KernelsOfGpu& own, std::vector<std::string>& notes) {
  std::vector<std::string> untimed;
  for (std::size_t i = 0; i < own.kernels.size(); ++i)
    if (!time_of(own.kernels[i])) untimed.push_back(own.names[i]);
  if (!untimed.empty() && untimed.size() < own.names.size())
    notes.push_back(fmt::format("left out, for no time of {} was counted: {}",
                                untimed.size() == 1 ? "it" : "them", named(untimed)));
}

std::size_t most_kernels(const std::string& top, bool is_data) {
  if (top.empty()) return is_data ? std::numeric_limits<std::size_t>::max() : most_shown;
  double most = 0;
  try {
    most = parse_quantity_as(top, {});
  } catch (const InputError& e) {
    throw InputError(fmt::format("--top: {}", e.what()));
  }
  if (!(most >= 1 && most <= 1e9 && most == std::floor(most)))
    throw InputError("--top: a whole number of kernels is expected, 1 or more");
  return static_cast<std::size_t>(most);
}

Table longest_of(const Table& table, std::size_t most, std::vector<std::string>& notes) {
  if (table.rows() <= most) return table;
  double share = 0;
  for (std::size_t row = most; row < table.rows(); ++row) share += table.at("of_time").number(row);
  const std::size_t more = table.rows() - most;
  notes.push_back(fmt::format("{} more, {} of the time: --top {} shows {}.",
                              more == 1 ? "1 kernel" : fmt::format("{} kernels", more), in_percent(share),
                              table.rows(), more == 1 ? "it" : "them"));
  return rows_where(table, [&](std::size_t row) { return row < most; });
}

void keep_points(Result& result, const Table& shown, bool every_level) {
  std::map<std::string, std::string> level_of; // by kernel
  for (std::size_t row = 0; row < shown.rows(); ++row)
    level_of[shown.at("kernel").text(row)] = nearest_level(shown, row);
  const std::string gpu = shown.rows() > 0 ? shown.at("gpu").text(0) : "";
  std::set<std::string> drawn;
  for (Table& table : result.tables) {
    if (table.title != Roofline::Kernel::title) continue;
    table = rows_where(table, [&](std::size_t row) {
      if (table.at("gpu").text(row) != gpu) return true;
      const auto known = level_of.find(table.at("name").text(row));
      if (known == level_of.end()) return false;
      drawn.insert(known->first);
      return every_level || known->second.empty() || table.at("level").text(row) == known->second;
    });
  }
  std::vector<std::string> without;
  for (std::size_t row = 0; row < shown.rows(); ++row)
    if (drawn.count(shown.at("kernel").text(row)) == 0) without.push_back(shown.at("kernel").text(row));
  if (!without.empty() && !drawn.empty())
    result.notes.push_back(fmt::format(
        "{}{}: no operation of {} was counted. The table says which bandwidth {} reached.", no_point,
        named(without), without.size() == 1 ? "it" : "theirs", without.size() == 1 ? "it" : "they"));
}

std::string kernels_without_a_point(const Result& result) {
  const auto note = std::find_if(result.notes.begin(), result.notes.end(),
                                 [](const std::string& n) { return n.starts_with(no_point); });
  constexpr std::string_view end = "counted.";
  return note == result.notes.end() ? "" : note->substr(0, note->find(end) + end.size());
}

std::string missing_of_benchmarks(const std::vector<ProfiledKernel>& runs,
                                  const std::vector<std::string>& names, const std::string& tool) {
  std::vector<std::string> no_bytes, no_flops;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ProfiledWork work = work_of(runs[i]);
    if (work.bytes.empty()) no_bytes.push_back(names[i]);
    if (work.flops.empty()) no_flops.push_back(names[i]);
  }
  std::string text;
  if (!no_bytes.empty()) text += fmt::format("no bytes of {}", named(no_bytes));
  if (!no_flops.empty())
    text += fmt::format("{}no operations of {}", text.empty() ? "" : ", and ", named(no_flops));
  return text.empty() ? "" : fmt::format("not in the file of {}: {}", tool, text);
}

} // namespace perfmodel::cli
