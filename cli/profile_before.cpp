#include "profile_before.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

namespace perfmodel::cli {

namespace {

constexpr std::size_t most_in_verdict = 3;

std::string written(const std::optional<Shape>& shape) { return shape ? shape->text() : ""; }

// What tells a kernel apart in both profiles.
using Key = std::tuple<std::string, std::string, std::string, std::string>;
Key key_of(const ProfiledKernel& kernel) {
  return {kernel.kernel, written(kernel.grid), written(kernel.block), kernel.capability};
}

struct Row {
  std::string name;
  const ProfiledKernel* kernel; // of either profile
  double now = absent, before = absent;
  double change() const { return (now - before) / before; } // absent where one of the times is
};

double seconds(const ProfiledKernel& kernel) {
  const std::optional<Seconds> time = time_of(kernel);
  return time && *time > Seconds(0) ? time->value : absent;
}

// Those that were timed in one of the profiles at least.
std::vector<Row> met(const std::vector<ProfiledKernel>& now, const std::vector<std::string>& names,
                     const std::vector<ProfiledKernel>& before) {
  std::vector<Row> rows;
  std::map<Key, std::vector<std::size_t>> waiting; // rows without a time from before, in order
  for (std::size_t i = 0; i < now.size(); ++i) {
    waiting[key_of(now[i])].push_back(rows.size());
    rows.push_back({.name = names[i], .kernel = &now[i], .now = seconds(now[i])});
  }
  const std::vector<std::string> earlier = short_names(before);
  for (std::size_t i = 0; i < before.size(); ++i) {
    std::vector<std::size_t>& same = waiting[key_of(before[i])];
    if (same.empty()) {
      rows.push_back({.name = earlier[i], .kernel = &before[i], .before = seconds(before[i])});
    } else {
      rows[same.front()].before = seconds(before[i]);
      same.erase(same.begin());
    }
  }
  std::erase_if(rows, [](const Row& row) { return std::isnan(row.now) && std::isnan(row.before); });
  return rows;
}

// The one that lost most first, those of one profile alone last.
void order(std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    if (std::isnan(a.change()) || std::isnan(b.change()))
      return !std::isnan(a.change()) && std::isnan(b.change());
    return a.change() > b.change();
  });
}

Table table_of(const std::vector<Row>& rows) {
  Table table{.title = "beside the profile before"};
  const Unit time = unit_of<Seconds>(), fraction{"fraction", {}};
  table.columns = {{.name = "kernel", .role = Role::key, .cells = std::vector<std::string>{}},
                   {.name = "grid", .role = Role::key, .cells = std::vector<std::string>{}},
                   {.name = "block", .role = Role::key, .cells = std::vector<std::string>{}},
                   {.name = "time", .unit = time, .role = Role::measured, .cells = std::vector<double>{}},
                   {.name = "before", .unit = time, .role = Role::measured, .cells = std::vector<double>{}},
                   {.name = "change", .unit = fraction, .role = Role::note, .cells = std::vector<double>{}}};
  for (const Row& row : rows) {
    append(table.columns[0], row.name);
    append(table.columns[1], written(row.kernel->grid));
    append(table.columns[2], written(row.kernel->block));
    append(table.columns[3], row.now);
    append(table.columns[4], row.before);
    append(table.columns[5], row.change());
  }
  table.notes.push_back("change = (time - before) / before, of the median launch");
  return table;
}

// "axpy 12 % (184.3 us, 164.6 us before)".
std::string in_words(const Row& row) {
  return fmt::format("{} {} ({}, {} before)", row.name, in_percent(row.change()),
                     perfmodel::in_words(Seconds(row.now)), perfmodel::in_words(Seconds(row.before)));
}

std::string verdict_of(const std::vector<Row>& rows, std::size_t both, std::size_t slower, double limit,
                       const std::string& file) {
  if (std::isnan(limit) || slower == 0) {
    const auto most = std::max_element(
        rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(both),
        [](const Row& a, const Row& b) { return std::fabs(a.change()) < std::fabs(b.change()); });
    const std::string changed = most->change() == 0
                                    ? "no time has changed"
                                    : fmt::format("the largest change is that of {}", in_words(*most));
    const std::string of = perfmodel::in_words(static_cast<double>(both), "kernels");
    if (std::isnan(limit)) return fmt::format("Of {} that {} has as well {}.", of, file, changed);
    return fmt::format("Of {} none takes more than {} longer than in {}; {}.", of, in_percent(limit), file,
                       changed);
  }
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(slower, most_in_verdict); ++i) named.push_back(in_words(rows[i]));
  return fmt::format("{} of {} {} more than {} longer than in {}: {}{}.", slower,
                     both == 1 ? "1 kernel" : fmt::format("{} kernels", both), slower == 1 ? "takes" : "take",
                     in_percent(limit), file, fmt::join(named, ", "),
                     slower > most_in_verdict ? fmt::format(" and {} more", slower - most_in_verdict) : "");
}

} // namespace

BesideBefore beside_before(const std::vector<ProfiledKernel>& now, const std::vector<std::string>& names,
                           const std::vector<ProfiledKernel>& before, const std::string& file, double limit) {
  std::vector<Row> rows = met(now, names, before);
  order(rows);
  const auto count = [&](const auto& is) {
    return static_cast<std::size_t>(std::count_if(rows.begin(), rows.end(), is));
  };
  const std::size_t both = count([](const Row& row) { return !std::isnan(row.change()); });
  if (both == 0)
    throw InputError(fmt::format("--before: no kernel that was timed is in both {} and the profile", file));
  BesideBefore beside{.table = table_of(rows),
                      .slower = count([&](const Row& row) { return row.change() > limit; })};
  beside.verdict = verdict_of(rows, both, beside.slower, limit, file);
  const std::size_t fresh = count([](const Row& row) { return std::isnan(row.before); });
  const std::size_t gone = count([](const Row& row) { return std::isnan(row.now); });
  if (const std::size_t alone = fresh + gone; alone > 0) // a verdict of all would say more than is known
    beside.verdict +=
        fmt::format(" {} one of the two profiles alone: not compared.",
                    alone == 1 ? "1 kernel has a time in" : fmt::format("{} kernels have a time in", alone));
  if (fresh > 0)
    beside.notes.push_back(fmt::format(
        "{} no time in {}", fresh == 1 ? "1 kernel has" : fmt::format("{} kernels have", fresh), file));
  if (gone > 0)
    beside.notes.push_back(fmt::format("{} of {} {} no time now",
                                       gone == 1 ? "1 kernel" : fmt::format("{} kernels", gone), file,
                                       gone == 1 ? "has" : "have"));
  return beside;
}

} // namespace perfmodel::cli
