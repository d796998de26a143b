#include "kernel_profile.hpp"

#include "kernel.hpp"
#include "kernel_launches.hpp"
#include "known_counters.hpp"
#include "same_kernel.hpp"

#include "models/core/in_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>

namespace perfmodel {

namespace {

bool is_of(const ProfiledKernel& kernel, const Table& launches, std::size_t row) {
  const auto same = [&](const std::optional<Shape>& shape, std::string_view column) {
    return !shape || shape->text() == launches.at(column).text(row);
  };
  return same(kernel.grid, "grid") && same(kernel.block, "block");
}

// By how much the instructions of the profile's kernel differ from the predicted ones; 0 where they were not
// counted.
double apart(const ProfiledKernel& kernel, const Table& launches, std::size_t row) {
  const std::optional<double> counted = instructions_of(kernel);
  const double predicted = launches.at("instructions").number(row);
  return counted && *counted > 0 && predicted > 0 ? std::fabs(std::log(*counted / predicted)) : 0;
}

// The one of the profile; of several the one that executes as many instructions. Nothing where there is none,
// or several are as good.
const ProfiledKernel* found(const std::vector<ProfiledKernel>& kernels, const Table& launches,
                            std::size_t row) {
  const std::string& name = launches.at("kernel").text(row);
  const ProfiledKernel* best = nullptr;
  SameName how = SameName::no;
  bool several = false;
  for (const ProfiledKernel& kernel : kernels) {
    if (!is_of(kernel, launches, row)) continue;
    const SameName same = same_name(name, kernel.kernel);
    if (same == SameName::no || same < how) continue;
    const double further =
        best == nullptr || same > how ? -1 : apart(kernel, launches, row) - apart(*best, launches, row);
    if (further > 0) continue;
    several = further == 0;
    best = &kernel, how = same;
  }
  return several ? nullptr : best;
}

// The row of `accesses` that has the keys of the launch and is of these.
std::optional<std::size_t> accesses_of(const Table& launches, std::size_t row, const Table& accesses,
                                       std::string_view of) {
  for (std::size_t at = 0; at < accesses.rows(); ++at) {
    if (accesses.at("memory").text(at) != of) continue;
    const bool same = std::all_of(accesses.columns.begin(), accesses.columns.end(), [&](const Column& key) {
      const Column* own = key.role == Role::key ? launches.find(key.name) : nullptr;
      return own == nullptr || own->text(row) == key.text(at);
    });
    if (same) return at;
  }
  return std::nullopt;
}

class Beside {
public:
  Beside(std::string title, Unit unit) : table{.title = std::move(title)}, unit_(std::move(unit)) {}
  void add(const Table& launches, std::size_t row, const ProfiledKernel& kernel, std::string counter,
           double predicted, double measured) {
    std::size_t c = 0;
    const auto put = [&](const char* name, auto value, Role role, const Unit& unit) {
      if (c == table.columns.size()) table.columns.push_back({.name = name, .unit = unit, .role = role});
      append(table.columns[c++], std::move(value));
    };
    for (const char* key : {"gpu", "kernel", "grid", "block"})
      put(key, launches.at(key).text(row), Role::key, {});
    put("counter", std::move(counter), Role::key, {});
    put("launches", static_cast<std::int64_t>(kernel.launches), Role::measured, {});
    put("predicted", predicted, Role::predicted, unit_);
    put("measured", measured, Role::measured, unit_);
    put("error", measured != 0 ? predicted / measured - 1 : absent, Role::measured, {"fraction", {}});
    const Column* grade = launches.find("grade");
    put("grade", grade != nullptr ? grade->text(row) : std::string(), Role::note, {});
  }
  Table table;

private:
  Unit unit_;
};

const Table* titled(const Result& result, std::string_view title) {
  const auto at = std::find_if(result.tables.begin(), result.tables.end(),
                               [&](const Table& table) { return table.title == title; });
  return at == result.tables.end() ? nullptr : &*at;
}

struct Furthest {
  std::string counter;
  double error = 0;
};
// Of a few bytes, beside the most that a kernel moves, the share by which they are off says little.
void look(Furthest& furthest, const Table& table) {
  constexpr double few = 0.05;
  std::map<std::string, double> most; // by launch
  const auto launch = [&](std::size_t row) {
    return table.at("kernel").text(row) + ' ' + table.at("grid").text(row) + ' ' +
           table.at("block").text(row);
  };
  const auto larger = [&](std::size_t row) {
    return std::max(table.at("predicted").number(row), table.at("measured").number(row));
  };
  for (std::size_t row = 0; row < table.rows(); ++row)
    most[launch(row)] = std::max(most[launch(row)], larger(row));
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (const double error = table.at("error").number(row);
        larger(row) > few * most[launch(row)] && std::fabs(error) > std::fabs(furthest.error))
      furthest = {table.at("counter").text(row), error};
}

std::string verdict_of(const Gpu& gpu, const std::vector<Beside>& all, const std::vector<double>& errors) {
  const Table& times = all.front().table;
  std::string text = fmt::format("Beside the profile on {}: ", gpu.name);
  if (errors.size() == 1)
    text += fmt::format("{} predicted, {} than the {} that were measured",
                        in_words(Seconds(times.at("predicted").number(0))), more_or_less(errors.front()),
                        in_words(Seconds(times.at("measured").number(0))));
  else if (!errors.empty()) {
    const auto [least, most] = std::minmax_element(errors.begin(), errors.end());
    text += fmt::format("{} times, from {} to {} than measured", errors.size(), more_or_less(*least),
                        more_or_less(*most));
  } else {
    text += "no time was counted";
  }
  Furthest furthest;
  for (std::size_t i = 1; i < all.size(); ++i) look(furthest, all[i].table);
  if (!furthest.counter.empty())
    text += fmt::format("; of the counters {} is furthest off, {} than counted", furthest.counter,
                        more_or_less(furthest.error));
  return text + ".";
}

} // namespace

BesideProfile beside_profile(const Gpu& gpu, const Result& predicted,
                             const std::vector<ProfiledKernel>& kernels) {
  BesideProfile beside;
  std::vector<ProfiledKernel> own;
  std::copy_if(kernels.begin(), kernels.end(), std::back_inserter(own), [&](const ProfiledKernel& k) {
    return k.capability.empty() || k.capability == gpu.architecture;
  });
  if (own.empty()) {
    beside.verdict = fmt::format("Nothing stands beside {}: the profile is of compute capability {}.",
                                 gpu.name, kernels.front().capability);
    return beside;
  }
  const Table* launches = titled(predicted, KernelModel::Summary::title);
  const Table* accesses = titled(predicted, KernelModel::Accesses::title);
  std::vector<Beside> all;
  all.emplace_back("time beside the profile", unit_of<Seconds>());
  all.emplace_back("bytes beside the profile", unit_of<Bytes>());
  all.emplace_back("counts beside the profile", Unit{});
  std::vector<const ProfiledKernel*> seen;
  for (std::size_t row = 0; launches != nullptr && row < launches->rows(); ++row) {
    if (launches->at("gpu").text(row) != gpu.name) continue;
    const ProfiledKernel* kernel = found(own, *launches, row);
    if (kernel == nullptr) {
      beside.notes.push_back(fmt::format("not in the profile: {} of {}, {}",
                                         written_name(launches->at("kernel").text(row)),
                                         launches->at("grid").text(row), launches->at("block").text(row)));
      continue;
    }
    seen.push_back(kernel);
    if (const auto time = time_of(*kernel)) {
      const double value = launches->at("time").number(row);
      all[0].add(*launches, row, *kernel,
                 kernel->counters.count("time") != 0 ? "time" : "gpu__time_duration.sum", value, time->value);
      beside.time_errors.push_back(value / time->value - 1);
    }
    for (const KnownCounter& known : known_counters()) {
      const std::optional<Counted> counter = counted(*kernel, known);
      if (!counter) continue;
      double value = absent;
      if (known.of.empty()) {
        value = launches->at(known.column).number(row);
        if (std::isnan(value)) value = 0; // none, which a row leaves out
      } else if (accesses != nullptr) {
        if (const auto at = accesses_of(*launches, row, *accesses, known.of))
          value = accesses->at(known.column).number(*at);
      }
      if (!std::isnan(value))
        all[known.bytes ? 1 : 2].add(*launches, row, *kernel, counter->metric, value, counter->value);
    }
  }
  for (const ProfiledKernel& kernel : own)
    if (std::find(seen.begin(), seen.end(), &kernel) == seen.end())
      beside.notes.push_back(
          fmt::format("in the profile and not predicted: {} of {}, {}", function_name(kernel.kernel),
                      kernel.grid ? kernel.grid->text() : "-", kernel.block ? kernel.block->text() : "-"));
  beside.verdict = seen.empty()
                       ? fmt::format("Nothing stands beside {}: the profile has none of these kernels with "
                                     "these grids and blocks.",
                                     gpu.name)
                       : verdict_of(gpu, all, beside.time_errors);
  for (Beside& one : all)
    if (one.table.rows() > 0) beside.tables.push_back(std::move(one.table));
  return beside;
}

std::size_t errors_over(const std::vector<double>& errors, double limit) {
  return static_cast<std::size_t>(
      std::count_if(errors.begin(), errors.end(), [&](double e) { return std::fabs(e) > limit; }));
}

} // namespace perfmodel
