#include "sweep_picks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace perfmodel::detail {

namespace {

struct Stretch {
  std::size_t first, last; // of the points
};

std::vector<Stretch> stretches_of(const std::vector<Pick>& picks) {
  std::vector<Stretch> all;
  for (std::size_t i = 0; i < picks.size(); ++i)
    if (i > 0 && picks[i].best == picks[i - 1].best)
      all.back().last = i;
    else
      all.push_back({i, i});
  return all;
}

// Of one axis its value alone.
std::string text_of_place(const std::vector<AxisValue>& place) {
  if (place.size() == 1) return place.front().value;
  std::string text;
  for (const AxisValue& of : place) text += (text.empty() ? "" : ", ") + of.axis + " " + of.value;
  return text;
}

std::string by_count(const std::vector<Pick>& picks) {
  std::vector<std::pair<std::size_t, std::string>> counts; // in the order in which they are first best
  for (const Pick& pick : picks) {
    const auto at = std::find_if(counts.begin(), counts.end(),
                                 [&](const auto& count) { return count.second == pick.best; });
    if (at == counts.end())
      counts.emplace_back(1, pick.best);
    else
      ++at->first;
  }
  std::stable_sort(counts.begin(), counts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string text;
  for (const auto& [count, best] : counts)
    text += fmt::format("{}{} at {}", text.empty() ? "" : ", ", best, count);
  return fmt::format("Best of {} points: {}.", picks.size(), text);
}

} // namespace

std::string in_words(const std::vector<Pick>& picks) {
  constexpr std::size_t most = 6; // stretches of a line
  if (picks.size() < 2) return "";
  const std::vector<Stretch> stretches = stretches_of(picks);
  if (stretches.size() == 1)
    return fmt::format("Best at each of {} points: {}.", picks.size(), picks.front().best);
  const std::vector<AxisValue>& place = picks.front().place;
  if (stretches.size() > most || place.size() > 2) return by_count(picks);
  std::string text = place.size() == 1 ? "Best by " + place.front().axis : "Best";
  const char* before = ": ";
  for (const auto& [first, last] : stretches) {
    const std::string from = text_of_place(picks[first].place), to = text_of_place(picks[last].place);
    text += fmt::format("{}{} {}", std::exchange(before, place.size() == 1 ? ", " : "; "), picks[first].best,
                        first == last       ? "at " + from
                        : first + 1 == last ? fmt::format("at {} and {}", from, to)
                                            : fmt::format("from {} to {}", from, to));
  }
  return text + ".";
}

} // namespace perfmodel::detail
