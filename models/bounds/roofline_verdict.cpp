// A roofline in words: of one kernel, of several, or of the machine alone.
#include "roofline.hpp"

#include "models/core/in_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

constexpr std::string_view text_of(Precision p) { return names(p)[static_cast<std::size_t>(p)]; }
constexpr std::string_view text_of(Level l) { return names(l)[static_cast<std::size_t>(l)]; }

// Beside the share of the specified roof that of what was reached of it by others.
std::string of_measured(const Roofline::Kernel& k) {
  if (std::isnan(k.of_measured) || k.of_roof > above_roof) return "";
  return fmt::format(" and {} of what the measured {}", in_percent(k.of_measured),
                     k.measured_bound == Bound::memory ? "bandwidth allows" : "peak allows");
}

std::string verdict_of(const Roofline::Kernel& k) {
  const std::string_view precision = text_of(k.precision);
  const FlopsPerSecond peak = k.bandwidth_needed * k.intensity;
  std::string text;
  if (std::isnan(k.ridge.value))
    text = fmt::format("No bandwidth of {} is known, and arithmetic alone allows {}", text_of(k.level),
                       in_words(k.performance, precision));
  else
    text = fmt::format("{}-bound: at most {}, {} of the {} peak",
                       k.bound == Bound::memory ? "Memory" : "Compute", in_words(k.performance, precision),
                       in_percent(k.performance / peak), precision);
  if (std::isfinite(k.of_roof)) {
    const bool reached = !std::isnan(k.achieved.value);
    text += fmt::format(". {} {}, {} of that{}{}", reached ? "It reached" : "Its model predicts",
                        in_words(reached ? k.achieved : k.predicted, precision), in_percent(k.of_roof),
                        of_measured(k),
                        k.of_roof > above_roof ? ", which nothing can be: check what was counted" : "");
    if (reached && k.of_roof < 1 && !std::isnan(k.least_time.value))
      text += fmt::format("; at the roof it would take {}", in_words(k.least_time));
  } else if (!std::isnan(k.least_time.value)) {
    text += fmt::format(", in {} at least", in_words(k.least_time));
  }
  return text + ".";
}

std::string verdict_of(const std::vector<Roofline::Kernel>& kernels) {
  std::size_t memory = 0, above = 0;
  const Roofline::Kernel *best = nullptr, *worst = nullptr;
  for (const Roofline::Kernel& k : kernels) {
    memory += k.bound == Bound::memory ? 1 : 0;
    if (!std::isfinite(k.of_roof)) continue;
    if (k.of_roof > above_roof) {
      ++above;
      continue;
    }
    if (best == nullptr || k.of_roof > best->of_roof) best = &k;
    if (worst == nullptr || k.of_roof < worst->of_roof) worst = &k;
  }
  std::string text = fmt::format("{} of {} are memory-bound", in_words(static_cast<double>(memory)),
                                 in_words(static_cast<double>(kernels.size()), "kernels"));
  if (best == nullptr && above == 0) {
    const auto [low, high] =
        std::minmax_element(kernels.begin(), kernels.end(),
                            [](const auto& a, const auto& b) { return a.performance < b.performance; });
    return text + fmt::format(", and their roofs are {} to {}.",
                              in_words(low->performance, text_of(low->precision)),
                              in_words(high->performance, text_of(high->precision)));
  }
  constexpr double alike = 1.001;
  if (best != nullptr)
    text +=
        best->of_roof > alike * worst->of_roof
            ? fmt::format("; nearest to its roof is {} with {}, farthest {} with {}", shortened(best->name),
                          in_percent(best->of_roof), shortened(worst->name), in_percent(worst->of_roof))
            : fmt::format(", at {} of their roof", in_percent(best->of_roof));
  if (above > 0)
    text += fmt::format(". {} above the roof, which nothing can be",
                        above == 1 ? "One is" : in_words(static_cast<double>(above)) + " are");
  return text + ".";
}

// Without a kernel: where the ridge is.
// Of the precision that is asked about; nullptr where there is no unit at all.
const Roofline::ComputeCeiling* roof_of(const Roofline::Input& in, const Roofline::Machine& machine) {
  const std::vector<Roofline::ComputeCeiling>& units = std::get<0>(machine);
  const Precision wanted = in.precision.value_or(Precision::fp32);
  const auto unit =
      std::find_if(units.begin(), units.end(), [&](const auto& u) { return u.precision == wanted; });
  if (units.empty()) return nullptr;
  return unit == units.end() ? &units.front() : &*unit;
}

bool tells_measured_ridge(const Roofline::Input& in, const Roofline::ComputeCeiling& roof) {
  return in.basis == Basis::measured && !std::isnan(roof.ridge_measured.value);
}

std::string verdict_of_machine(const Roofline::Input& in, const Roofline::Machine& machine) {
  const std::vector<Roofline::BandwidthCeiling>& slopes = std::get<1>(machine);
  const Roofline::ComputeCeiling* roof = roof_of(in, machine);
  if (roof == nullptr) return "";
  const bool measured = tells_measured_ridge(in, *roof);
  std::string text = fmt::format("Memory-bound below {}: ",
                                 in_words(measured ? roof->ridge_measured : roof->ridge, roof->ceiling));
  const auto slope =
      std::find_if(slopes.begin(), slopes.end(), [&](const auto& s) { return s.level == in.level; });
  if (slope != slopes.end())
    text += fmt::format("{} delivers {}, ", called(in.level), in_words(slope->bandwidth));
  text += fmt::format("{} does {}", roof->ceiling, in_words(roof->rate, roof->ceiling));
  if (!measured && !std::isnan(roof->ridge_measured.value))
    text += fmt::format(". With the measured bandwidth the ridge is at {}",
                        in_words(roof->ridge_measured, roof->ceiling));
  return text + ".";
}

} // namespace

const void* Roofline::said(const Input& in, const Points& points, const Machine& machine) {
  if (const std::vector<Kernel>& kernels = std::get<0>(points); !kernels.empty())
    return &kernels.front().performance;
  const ComputeCeiling* roof = roof_of(in, machine);
  if (roof == nullptr || !std::get<1>(points).empty()) return nullptr;
  return tells_measured_ridge(in, *roof) ? &roof->ridge_measured : &roof->ridge;
}

std::string Roofline::verdict(const Gpu&, const Input& in, const Points& points, const Machine& machine) {
  const auto& [rows, in_flight] = points;
  if (rows.size() > 1) return verdict_of(rows);
  std::string text = rows.size() == 1 ? verdict_of(rows.front()) : "";
  // Of a kernel that arithmetic binds it says nothing, and what is near its roof needs no second word.
  constexpr double near_roof = 0.5;
  if (!in_flight.empty() &&
      (rows.empty() || (rows.front().bound == Bound::memory && rows.front().of_roof <= 1 &&
                        (in.threads || in_flight.front().of_stream < near_roof))))
    text += (text.empty() ? "" : " ") + in_flight_in_words(in_flight.front(), launch_of(in));
  return text.empty() ? verdict_of_machine(in, machine) : text;
}

} // namespace perfmodel
