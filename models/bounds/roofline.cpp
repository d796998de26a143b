// The kernel's side of the roofline: what it can reach, what it reached, and what that means.
#include "roofline.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <utility>

namespace perfmodel {

namespace {

// Above a roof there is no performance, only a reason why the reading is not what it seems.
std::string reasons_above(const Roofline::Kernel& k, bool has_tensor_units) {
  if (k.bound == Bound::compute)
    return std::string("wrong precision") +
           (has_tensor_units ? " (are the operations on the tensor units?)" : "") +
           ", operations counted that were not done, or a clock above the one the roof assumes";
  return "bytes counted that never reached this level (served by a cache), a write-back still under way "
         "when the time was read, or operations counted that were not done";
}

// "3350x", "1.2x".
std::string times(double factor) { return format_quantity(factor, {}, Prefix::si, 3) + "x"; }

std::string against_roof(const Roofline::Kernel& k, const ArithmeticUnit& unit, bool has_tensor_units) {
  const double to_ridge = k.intensity / k.ridge;
  const std::string side =
      std::isnan(to_ridge)       ? fmt::format("no bandwidth of {} is known: held against arithmetic alone",
                                               names(k.level)[static_cast<std::size_t>(k.level)])
      : k.bound == Bound::memory ? fmt::format("memory-bound, {} below the ridge", times(1 / to_ridge))
                                 : fmt::format("compute-bound, {} above the ridge", times(to_ridge));
  if (!std::isfinite(k.of_roof)) return side;
  const std::string roof = k.bound == Bound::memory ? "memory" : std::string(unit.name);
  if (k.of_roof > above_roof)
    return fmt::format("{} of the {} roof, which nothing can be: {}",
                       format_quantity(100 * k.of_roof, {"%", {}}), roof, reasons_above(k, has_tensor_units));
  if (k.of_roof > 0.995) return fmt::format("{}; at the {} roof", side, roof);
  return fmt::format("{}; {} below the {} roof", side, times(1 / k.of_roof), roof);
}

// The two limits as one rate, with the text of the formula where it is recorded.
FlopsPerSecond combined(FlopsPerSecond p, FlopsPerSecond by_memory, const Combine& combine) {
  return std::isinf(combine.p) ? lesser(p, by_memory)
                               : FlopsPerSecond(combine.rate(base_value(p), base_value(by_memory)));
}
Term<FlopsPerSecond> combined(const Term<FlopsPerSecond>& p, const Term<FlopsPerSecond>& by_memory,
                              const Combine& combine) {
  if (std::isinf(combine.p)) return lesser(p, by_memory);
  const std::string e = format_quantity(combine.p, {});
  const auto text = [&](const std::string& a, const std::string& b) {
    return fmt::format("(({})^-{} + ({})^-{})^(-1/{})", a, e, b, e, e);
  };
  return {combined(p.value, by_memory.value, combine),
          {text(p.formula, by_memory.formula), text(p.numbers, by_memory.numbers), 0}};
}

// The kernels that the input names, before they are set against a roof.
std::vector<RooflinePoint> points_of(const Roofline::Input& in) {
  std::vector<RooflinePoint> points;
  if (in.points) points = in.points->points;
  if (in.flops && in.bytes && in.intensity)
    throw InputError("--intensity is --flops over --bytes: give two of the three");
  const bool counted = in.flops && in.bytes;
  if (!counted && !in.intensity) {
    if (in.bytes && in.time && !in.flops && in.level == Level::dram)
      return points; // Little's law alone asks about it
    if (in.flops || in.bytes)
      throw InputError(in.flops ? "--flops needs --bytes or --intensity beside it"
                                : "--bytes needs --flops, --intensity or --time beside it");
    if (in.time) throw InputError("--time needs --flops and --bytes beside it");
    return points;
  }
  RooflinePoint point{.name = in.kernel, .intensity = counted ? *in.flops / *in.bytes : *in.intensity};
  if (in.time) {
    if (!in.flops && !in.bytes) throw InputError("--time needs --flops or --bytes beside it");
    point.performance = (in.flops ? *in.flops : *in.bytes * point.intensity) / *in.time;
    if (!(base_value(point.performance) > 0 && base_value(point.performance) < 1e300))
      throw InputError("--flops over --time is not a rate a kernel can have");
  }
  if (!(base_value(point.intensity) > 0 && base_value(point.intensity) < 1e300))
    throw InputError("--flops over --bytes is not an intensity a kernel can have");
  points.push_back(point);
  return points;
}

// What kernels of one precision and memory level are held against.
template <class T> struct Roof {
  using Rate = decltype(rate(std::declval<const Gpu&>(), std::declval<const ArithmeticUnit&>(), Basis::spec,
                             std::declval<T&>()));
  using Slope = decltype(bandwidth(std::declval<const Gpu&>(), Level::dram, Basis::spec, std::declval<T&>()));
  Precision precision;
  Level level;
  const ArithmeticUnit* unit;
  Rate p;
  std::optional<Slope> beta; // none: not known, of a level that the point names and not the user
  FlopsPerByte ridge{absent};
  std::optional<FlopsPerSecond> measured_p; // both, where either was measured and is not the roof already
  std::optional<BytesPerSecond> measured_beta;
};

template <class T>
const Roof<T>& roof_of(std::vector<Roof<T>>& roofs, const Gpu& gpu, const RooflinePoint& point,
                       const Roofline::Input& in, Basis basis, T& trace) {
  const Precision precision = point.precision.value_or(in.precision.value_or(Precision::fp32));
  const Level level = point.level.value_or(in.level);
  for (const Roof<T>& roof : roofs)
    if (roof.precision == precision && roof.level == level) return roof;
  const auto known = [&](Level l) {
    return has_bandwidth(gpu, l, Basis::spec) || has_bandwidth(gpu, l, Basis::measured);
  };
  // L1 delivers no more than the banks of shared memory, which are its own on most GPUs.
  const Level slope = level == Level::l1 && point.level && !known(level) ? Level::shared : level;
  const ArithmeticUnit* unit = units_of(gpu, precision).front();
  Roof<T> roof{precision, level, unit, rate(gpu, *unit, basis, trace), std::nullopt};
  if (!point.level || known(slope)) {
    roof.beta = bandwidth(gpu, slope, basis, trace);
    roof.ridge =
        value_of(trace.define("ridge", "intensity where both take the same time", roof.p / *roof.beta));
  }
  if (roof.beta && basis == Basis::spec &&
      (has_sustained(gpu, *unit) || has_bandwidth(gpu, slope, Basis::measured))) {
    roof.measured_p = value_of(rate(gpu, *unit, Basis::measured, trace));
    roof.measured_beta = value_of(bandwidth(gpu, slope, Basis::measured, trace));
  }
  roofs.push_back(std::move(roof));
  return roofs.back();
}

// Which roofs the points rest on is told of all of them, how each point was found of none of these.
template <class T>
void append_unexplained(std::vector<Roofline::Kernel>& rows, const Gpu& gpu, const Roofline::Input& in,
                        const std::vector<RooflinePoint>& points, std::vector<Roof<T>>& roofs, Basis basis,
                        T& trace) {
  for (const RooflinePoint& point : points)
    if (point.gpu.empty() || point.gpu == gpu.name) roof_of(roofs, gpu, point, in, basis, trace);
  Plain plain;
  std::vector<Roofline::Kernel> all = Roofline::kernels(gpu, in, plain);
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(rows.size());
  rows.insert(rows.end(), std::make_move_iterator(first), std::make_move_iterator(all.end()));
}

} // namespace

template <class T>
std::vector<Roofline::Kernel> Roofline::kernels(const Gpu& gpu, const Input& in, T& trace) {
  const Combine combine = Combine::parse(in.combine);
  const std::vector<RooflinePoint> points = points_of(in);
  if (points.empty()) return {};
  if (combine.fitted())
    trace.fitted("p", "exponent that rounds the knee of the roofline", combine.p, "--combine");
  const Basis basis = in.basis.value_or(Basis::spec);
  const bool has_tensor_units = gpu.record(facts::throughput_fp16_tensor) != nullptr;
  std::vector<Roof<T>> roofs; // one for each precision and level
  std::vector<Kernel> rows;
  rows.reserve(points.size());
  [[maybe_unused]] constexpr std::size_t explained = 1000; // of more nobody reads how they were found
  for (const RooflinePoint& point : points) {
    if constexpr (T::records)
      if (rows.size() == explained) {
        append_unexplained(rows, gpu, in, points, roofs, basis, trace);
        break;
      }
    if (!point.gpu.empty() && point.gpu != gpu.name) continue;
    if (!(base_value(point.intensity) >= 1e-250 && base_value(point.intensity) <= 1e250))
      throw InputError("an intensity of " +
                       format_quantity(base_value(point.intensity), unit_of<FlopsPerByte>()) +
                       " is none that a kernel can have");
    const Roof<T>& roof = roof_of(roofs, gpu, point, in, basis, trace);
    const ArithmeticUnit& unit = *roof.unit;
    const auto intensity = trace.input("I", point.intensity);
    const auto most =
        roof.beta ? trace.define("P(I)", "attainable rate", combined(roof.p, intensity * *roof.beta, combine))
                  : roof.p;
    Kernel k{.name = point.name,
             .path = point.path,
             .precision = unit.precision,
             .level = roof.level,
             .intensity = point.intensity};
    k.performance = value_of(most);
    k.ridge = roof.ridge;
    k.bound = point.intensity < k.ridge ? Bound::memory : Bound::compute;
    k.bandwidth_needed = value_of(roof.p) / point.intensity;
    if (in.flops)
      k.least_time = *in.flops / k.performance;
    else if (in.bytes)
      k.least_time = *in.bytes * point.intensity / k.performance;
    k.achieved = point.performance;
    k.low = point.low;
    k.high = point.high;
    k.predicted = point.predicted;
    const FlopsPerSecond reached = std::isnan(k.achieved.value) ? k.predicted : k.achieved;
    k.of_roof = reached / k.performance;
    if (roof.measured_p) {
      const FlopsPerSecond seen = combined(*roof.measured_p, point.intensity * *roof.measured_beta, combine);
      if (seen != k.performance) k.of_measured = reached / seen;
      if (*roof.measured_p < point.intensity * *roof.measured_beta) k.measured_bound = Bound::compute;
    }
    if (T::records || std::isfinite(k.of_roof) || points.size() < 1000)
      k.verdict = against_roof(k, unit, has_tensor_units);
    trace.say("bound", "what limits it", names(k.bound)[static_cast<std::size_t>(k.bound)]);
    rows.push_back(std::move(k));
  }
  return rows;
}

double Roofline::tolerance(const Gpu& gpu, const Input& in) {
  Plain plain;
  for (const Kernel& k : kernels(gpu, in, plain)) {
    const double to_ridge = k.intensity / k.ridge;
    return (to_ridge > 0.5 && to_ridge < 2 ? 1 / 0.86 : 1 / 0.95) - 1;
  }
  return info.tolerance;
}

template std::vector<Roofline::Kernel> Roofline::kernels(const Gpu&, const Input&, Plain&);
template std::vector<Roofline::Kernel> Roofline::kernels(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
