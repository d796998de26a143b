#include "predicted_sums.hpp"

#include "models/core/model.hpp"
#include "models/core/trace.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

template <class Time> std::size_t least(std::size_t count, Time time) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < count; ++i)
    if (time(i) < time(best)) best = i;
  return best;
}

} // namespace

PredictedSums predict_sums(const CostsBySize& costs, const CostsBySize& one_way, int ranks,
                           const std::vector<std::vector<Timed>>& measured) {
  PredictedSums p;
  p.times.resize(measured.size());
  double count = 0;
  for (std::size_t i = 0; i < measured.front().size(); ++i) {
    Plain plain;
    const AllReduce::Input question{.bytes = measured[0][i].bytes,
                                    .ranks = static_cast<double>(ranks),
                                    .costs = costs,
                                    .one_way = one_way};
    const AllReduce::Tables answer = AllReduce::predict(Gpu{}, question, plain);
    const auto& rows = std::get<0>(answer);
    for (std::size_t a = 0; a < measured.size(); ++a) {
      const double error = rows[a].time / measured[a][i].time - 1;
      p.times[a].push_back(rows[a].time);
      p.mean_error += std::fabs(error), ++count;
      if (std::fabs(error) > std::fabs(p.worst_error))
        p.worst_error = error, p.worst_algorithm = a, p.worst_bytes = measured[a][i].bytes;
    }
    const auto of = [&](std::size_t a) { return measured[a][i].time; };
    const std::size_t fastest = least(measured.size(), of);
    p.fastest_measured.push_back(fastest);
    p.fastest.push_back(least(measured.size(), [&](std::size_t a) { return rows[a].time; }));
    const double matters = 1.1;
    const auto slowest =
        std::max_element(measured.begin(), measured.end(),
                         [&](const auto& a, const auto& b) { return a[i].time < b[i].time; });
    if (!((*slowest)[i].time > matters * of(fastest))) continue;
    ++p.winners_judged;
    p.winners_right += of(p.fastest.back()) < matters * of(fastest);
  }
  p.mean_error /= count;
  return p;
}

} // namespace perfmodel
