#include "matmul.hpp"

#include "models/core/in_words.hpp"
#include "models/kernel/known_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

// A tensor version's time is a sum over rounds of tiles.
std::vector<std::string> counted_ones(const std::vector<Matmul::Rung>& rungs) {
  std::vector<std::string> tensor;
  for (const Matmul::Rung& rung : rungs)
    if (rung.precision != "fp32") tensor.push_back(rung.version);
  return tensor;
}

} // namespace

namespace {
const Matmul::Rung& fastest_of(const std::vector<Matmul::Rung>& rungs) {
  const auto faster = [](const auto& a, const auto& b) { return a.time < b.time; };
  return *std::min_element(rungs.begin(), rungs.end(), faster);
}
} // namespace

const void* Matmul::said(const Input&, const Tables& rows) {
  const auto& rungs = std::get<std::vector<Rung>>(rows);
  return rungs.empty() ? nullptr : &fastest_of(rungs).time;
}

std::string Matmul::verdict(const Gpu& gpu, const Input& in, const Tables& rows) {
  if (in.show == MatmulShow::choices) return choices_in_words(std::get<std::vector<MatmulChoice>>(rows));
  if (in.show == MatmulShow::barriers) return barriers_in_words(std::get<std::vector<MatmulBarrier>>(rows));
  if (in.show == MatmulShow::order)
    return order_in_words({std::get<std::vector<MatmulHelp>>(rows), std::get<std::vector<FixOrder>>(rows)});
  const std::vector<Rung>& rungs = std::get<0>(rows);
  const std::vector<LeftByLink>& left = std::get<1>(rows);
  const Rung& best = fastest_of(rungs);
  std::string text = fmt::format("{} takes {} for {} x {}: {}", best.version, in_words(best.time),
                                 in_words(best.n), in_words(best.n), in_words(best.performance));
  if (!std::isnan(best.of_roof))
    text += fmt::format(", {} of its {} peak", in_percent(best.of_roof), best.precision);
  if (!best.bound.empty()) text += fmt::format(", bound by {}", best.bound);
  const std::string foreign = foreign_code("matmul", gpu.capability());
  const std::string code = foreign.empty() ? "" : " in " + foreign;
  if (rungs.size() == 1) return text + (code.empty() ? "." : "," + code + ".");
  text = fmt::format("Fastest of {}{}: {}", in_words(static_cast<double>(rungs.size())), code, text);
  if (const std::string lacks = not_viewed(in.view, counted_ones(rungs)); !lacks.empty())
    return text + "." + lacks;
  constexpr double alike = 1.005; // which would be "1 times as fast"
  if (best.total_gain >= alike)
    text += fmt::format(". That is {} times as fast as {}{}", in_words(best.total_gain),
                        rungs.front().version, left_in_words(left, best.version));
  return text + ".";
}

} // namespace perfmodel
