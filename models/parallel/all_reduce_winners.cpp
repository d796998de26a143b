#include "all_reduce_winners.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace perfmodel {

// From the line that is least at 0, always to that of the others which is crossed first.
std::vector<AllReduce::Winner> winners(std::vector<CostLine> lines, double ranks) {
  const auto before = [](const CostLine& a, const CostLine& b) {
    return std::pair(a.at_zero, a.slope) < std::pair(b.at_zero, b.slope);
  };
  std::vector<AllReduce::Winner> all;
  const CostLine* now = &*std::min_element(lines.begin(), lines.end(), before);
  double from = absent;
  while (true) {
    const CostLine* next = nullptr;
    double crossing = INFINITY;
    for (const CostLine& line : lines) {
      if (!(line.slope < now->slope)) continue;
      const double at = (line.at_zero - now->at_zero) / (now->slope - line.slope);
      if (next == nullptr || at < crossing || (at == crossing && line.slope < next->slope))
        crossing = at, next = &line;
    }
    AllReduce::Winner w{.algorithm = std::string(now->name), .ranks = ranks, .from = Bytes(from)};
    if (next != nullptr) w.to = Bytes(crossing);
    if (next == nullptr || crossing > 0) all.push_back(std::move(w));
    if (next == nullptr) return all;
    now = next, from = crossing > 0 ? crossing : absent;
  }
}

std::vector<AllReduce::Winner> winners(const std::function<AllReduceAlgorithm(Bytes)>& best, double ranks) {
  std::vector<AllReduce::Winner> all;
  AllReduceAlgorithm now = best(Bytes(1));
  double from = absent;
  const auto add = [&](double to) {
    all.push_back({.algorithm = std::string(names(now)[static_cast<std::size_t>(now)]),
                   .ranks = ranks,
                   .from = Bytes(from),
                   .to = Bytes(to)});
  };
  for (double exponent = 0.25; exponent <= 44; exponent += 0.25) {
    const double size = std::exp2(exponent);
    const AllReduceAlgorithm next = best(Bytes(size));
    if (next == now) continue;
    double low = std::exp2(exponent - 0.25), high = size;
    for (int i = 0; i < 40; ++i) {
      const double middle = (low + high) / 2;
      (best(Bytes(middle)) == now ? low : high) = middle;
    }
    add(high);
    now = next, from = high;
  }
  add(absent);
  return all;
}

} // namespace perfmodel
