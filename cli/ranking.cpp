#include "ranking.hpp"

#include "models/core/in_words.hpp"
#include "models/core/units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace perfmodel::cli {

namespace {

Column words(const char* name, Role role = Role::note) {
  return {.name = name, .role = role, .cells = std::vector<std::string>{}};
}
Column numbers(const char* name, Unit unit, Role role = Role::predicted) {
  return {.name = name, .unit = std::move(unit), .role = role, .cells = std::vector<double>{}};
}

// Of several GPUs a constant of the same name stands there several times.
void add_constants(const RankedGpu& gpu, Result& result) {
  for (Step constant : gpu.constants) {
    constant.place = fmt::format("{}{}{}", gpu.gpu, constant.place.empty() ? "" : ": ", constant.place);
    result.constants.push_back(std::move(constant));
  }
}

double price_of_million(const RankedGpu& gpu, const std::map<std::string, double>& prices) {
  const auto price = prices.find(gpu.gpu);
  return price == prices.end() ? absent : price->second / 3600 * gpu.time * 1e6;
}

std::string verdict(std::span<const RankedGpu> gpus, std::size_t without,
                    const std::map<std::string, double>& prices) {
  const RankedGpu& best = gpus.front();
  std::string text = gpus.size() == 1 ? best.gpu + " takes "
                                      : fmt::format("{} is the fastest of {}: ", best.gpu, gpus.size());
  text += fmt::format("{}, bound by {}", in_words(Seconds{best.time}), best.bound);
  const auto longer = [&](const RankedGpu& gpu) {
    const std::string times = in_words(gpu.time / best.time);
    return times == "1" ? "as long" : times + " times as long";
  };
  if (gpus.size() > 1) text += fmt::format("; {} takes {}", gpus[1].gpu, longer(gpus[1]));
  if (gpus.size() > 2) text += fmt::format(", {}, the last, {}", gpus.back().gpu, longer(gpus.back()));
  text += ".";
  if (best.grade != Grade::known) text += fmt::format(" Costs of {} are {}.", best.gpu, name_of(best.grade));
  const auto cheaper = [&](const RankedGpu& a, const RankedGpu& b) {
    return price_of_million(a, prices) < price_of_million(b, prices);
  };
  std::vector<RankedGpu> priced;
  for (const RankedGpu& gpu : gpus)
    if (prices.count(gpu.gpu) != 0) priced.push_back(gpu);
  if (priced.size() > 1)
    text += fmt::format(" {} is the cheapest of those with a price.",
                        std::min_element(priced.begin(), priced.end(), cheaper)->gpu);
  if (without > 0) text += fmt::format(" {} without an answer.", without);
  return text;
}

std::string what_energy_is(std::span<const RankedGpu> gpus) {
  std::vector<std::string> above;
  for (const RankedGpu& gpu : gpus)
    if (!std::isnan(gpu.energy) && gpu.above_limit) above.push_back(gpu.gpu);
  std::string text = "Energy: of its operations, its bytes and constant power over the time, as in the model "
                     "energy; empty where nobody measured what these cost on this GPU.";
  if (!above.empty())
    text +=
        fmt::format(" That is more power than the limit of {} allows: the clock sinks until it fits, and the "
                    "kernel takes longer than is said here.",
                    fmt::join(above, ", "));
  return text;
}

// Of the fastest whose time is not amidst its band.
void add_asides(std::span<const RankedGpu> gpus, std::vector<std::string>& notes) {
  constexpr std::ptrdiff_t most = 3;
  std::ptrdiff_t asides = 0;
  for (const RankedGpu& gpu : gpus)
    if (!gpu.why_aside.empty() && ++asides <= most) notes.push_back(gpu.why_aside);
  if (asides > most)
    notes.push_back(fmt::format("{} more lie aside of their bands, for such reasons.", asides - most));
}

} // namespace

Result ranking(const std::string& of, std::vector<RankedGpu> gpus,
               const std::map<std::string, double>& prices) {
  const auto unanswered = std::stable_partition(gpus.begin(), gpus.end(),
                                                [](const RankedGpu& gpu) { return !std::isnan(gpu.time); });
  std::stable_sort(gpus.begin(), unanswered,
                   [](const RankedGpu& a, const RankedGpu& b) { return a.time < b.time; });
  const std::span<const RankedGpu> answered(gpus.begin(), unanswered);
  const bool banded = std::any_of(answered.begin(), answered.end(),
                                  [](const RankedGpu& gpu) { return !std::isnan(gpu.low); });
  const auto any = [&](auto has) { return std::any_of(answered.begin(), answered.end(), has); };
  const bool with_energy = any([](const RankedGpu& gpu) { return !std::isnan(gpu.energy); });
  const bool with_costs = any([](const RankedGpu& gpu) { return !gpu.not_known.empty(); });
  Table order{.title = "GPUs by time"};
  order.columns = {words("gpu", Role::key), words("name"), numbers("time", unit_of<Seconds>()),
                   numbers("of_best", {.symbol = "fraction"})};
  if (banded) {
    order.columns.push_back(numbers("time_low", unit_of<Seconds>(), Role::low));
    order.columns.push_back(numbers("time_high", unit_of<Seconds>(), Role::high));
  }
  if (!prices.empty()) order.columns.push_back(numbers("price_of_million_runs", {}));
  order.columns.push_back(words("bound"));
  if (with_costs) order.columns.push_back(words("not_known"));
  order.columns.push_back(words("grade"));
  if (with_energy)
    order.columns.push_back(numbers("energy", unit_of<Joules>())); // where lines are short, below
  Result result{.model = "rank"};
  for (const RankedGpu& gpu : answered) {
    auto column = order.columns.begin();
    append(*column++, gpu.gpu);
    append(*column++, gpu.title);
    append(*column++, gpu.time);
    append(*column++, answered.front().time / gpu.time);
    if (banded) {
      append(*column++, gpu.low);
      append(*column++, gpu.high);
    }
    if (!prices.empty()) append(*column++, price_of_million(gpu, prices));
    append(*column++, gpu.bound);
    if (with_costs) append(*column++, gpu.not_known);
    append(*column++, std::string(name_of(gpu.grade)));
    if (with_energy) append(*column, gpu.energy);
    add_constants(gpu, result);
    result.grade = worse(result.grade, gpu.grade);
  }
  if (!answered.empty())
    result.verdict = {verdict(answered, static_cast<std::size_t>(gpus.end() - unanswered), prices)};
  if (with_costs)
    result.notes.emplace_back(
        "Not known: how many of the costs in the time nobody measured on this GPU; they "
        "are inherited from another or assumed within a range, 'perfmodel hw costs GPU' "
        "says which. Grade: of the worst cost that moves the time by more than 2 %.");
  if (with_energy) result.notes.push_back(what_energy_is(answered));
  add_asides(answered, result.notes);
  result.tables.push_back(std::move(order));
  result.title =
      fmt::format("Time of {}{} by GPU", of, of.find(',') == of.npos || of.ends_with(',') ? "" : ",");
  constexpr double decades = 20; // from the first to the last
  result.chart = {.kind = ChartKind::bars,
                  .x = "gpu",
                  .y = "time",
                  .log_y = !answered.empty() && answered.back().time > decades * answered.front().time};
  if (unanswered == gpus.end()) return result;
  Table left{.title = "without an answer"};
  left.columns = {words("gpu", Role::key), words("why")};
  for (auto gpu = unanswered; gpu != gpus.end(); ++gpu) {
    append(left.columns[0], gpu->gpu);
    append(left.columns[1], gpu->why_not);
  }
  result.tables.push_back(std::move(left));
  return result;
}

} // namespace perfmodel::cli
