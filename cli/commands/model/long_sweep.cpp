#include "long_sweep.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace perfmodel::cli {

namespace {

constexpr double short_sweep = 20'000, most_rows_held = 1'000'000;
constexpr int places_tried = 16;
constexpr std::size_t neighbours_tried = 32;
constexpr std::chrono::seconds most_trying{2}; // of all that are tried

double grid_points(std::span<const Gpu> gpus, const Request& request) {
  double points = static_cast<double>(std::max<std::size_t>(gpus.size(), 1));
  for (const std::vector<Axis>* axes : {&request.inputs, &request.facts})
    for (const Axis& axis : *axes) points *= static_cast<double>(axis.values.size());
  return points;
}

// The axis with most values; one without a name or values where nothing is swept.
const Axis& longest_axis(const Request& request) {
  static const Axis none;
  const Axis* longest = &none;
  for (const std::vector<Axis>* axes : {&request.inputs, &request.facts})
    for (const Axis& axis : *axes)
      if (axis.values.size() > longest->values.size()) longest = &axis;
  return *longest;
}

// A few points of the grid: neighbours along the longest axis, which share what is made once, of each axis as
// far along it as `share` says, but no two axes alike: not the grid's diagonal alone.
Request points_at(const Request& request, double share) {
  Request some;
  some.points_only = true, some.bands = request.bands, some.band_draws = request.band_draws;
  const Axis& longest = longest_axis(request);
  const auto take = [&](const std::vector<Axis>& from, std::vector<Axis>& to) {
    for (const Axis& axis : from) {
      const std::size_t count = axis.values.size(), wanted = &axis == &longest ? neighbours_tried : 1;
      const auto begin = std::min(static_cast<std::size_t>(share * static_cast<double>(count)),
                                  count - std::min(count, wanted));
      const auto first = axis.values.begin() + static_cast<std::ptrdiff_t>(begin);
      to.push_back({axis.name, {first, first + static_cast<std::ptrdiff_t>(std::min(count, wanted))}});
      share = std::fmod(share * 9.888, 1.0);
    }
  };
  take(request.inputs, some.inputs);
  take(request.facts, some.facts);
  return some;
}

std::string how_to_have_fewer(const Request& request) {
  const std::string& name = longest_axis(request).name;
  const bool is_fact = std::any_of(request.facts.begin(), request.facts.end(),
                                   [&](const Axis& axis) { return axis.name == name; });
  return fmt::format("give {}{} a larger step, as in 1:1000:10, or a factor, as in 1:1024:*2",
                     is_fact ? "--set " : "--", name);
}

} // namespace

void refuse_long_sweep(const Model& model, std::span<const Gpu> gpus, const Request& request, bool held,
                       std::chrono::duration<double> longest) {
  const double points = grid_points(gpus, request);
  const double of_gpu = points / static_cast<double>(std::max<std::size_t>(gpus.size(), 1));
  if (points <= short_sweep || of_gpu > static_cast<double>(sweep_limit))
    return; // the latter is refused anyway
  if (held && points > most_rows_held)
    throw InputError(fmt::format("{} points are more than a picture or a comparison can hold, {} at most: {}",
                                 perfmodel::in_words(points), perfmodel::in_words(most_rows_held),
                                 how_to_have_fewer(request)));
  const Gpu nobody;
  const std::span<const Gpu> one = gpus.empty() ? std::span(&nobody, 1) : gpus.first(1);
  const auto ask = [&](double share) {
    try {
      predict(model, one, points_at(request, share));
    } catch (const InputError&) { // said by the sweep itself
    }
  };
  ask(0); // reads what all points need
  const auto begin = std::chrono::steady_clock::now();
  const auto taken = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin); };
  int asked = 0;
  while (asked < places_tried && taken() < most_trying) ask((asked++ + 0.5) / places_tried);
  const double tried =
      asked * static_cast<double>(std::min(neighbours_tried, longest_axis(request).values.size()));
  const std::chrono::duration<double> all = taken() * points / tried;
  if (all > longest)
    throw InputError(fmt::format("{} points would take about {}: {}", perfmodel::in_words(points),
                                 perfmodel::in_words(std::ceil(all.count() / 3600), "hours"),
                                 how_to_have_fewer(request)));
}

} // namespace perfmodel::cli
