#include "all_reduce.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"
#include "network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

using Algorithm = AllReduceAlgorithm;
// How many alphas, how many times n over beta, how many times n gamma.
struct Counts {
  Algorithm algorithm;
  double steps, sent, added;
};

Counts counts_of(Algorithm a, double p) {
  const double share = (p - 1) / p;
  if (a == Algorithm::ring) return {a, 2 * (p - 1), 2 * share, share};
  if (a == Algorithm::tree) {
    const double rounds = std::ceil(std::log2(p));
    return {a, 2 * rounds, 2 * rounds, rounds};
  }
  const double rounds = std::floor(std::log2(p)), power = std::exp2(rounds);
  const bool folds = power != p; // ranks above the power of two hand over theirs, and get the sum
  const double share_of_power = (power - 1) / power;
  Counts c = a == Algorithm::recursive_doubling ? Counts{a, rounds, rounds, rounds}
                                                : Counts{a, 2 * rounds, 2 * share_of_power, share_of_power};
  if (folds) c.steps += 2, c.sent += 2, c.added += 1;
  return c;
}

template <class T> auto alpha_of(const Gpu& gpu, const AllReduce::Input& in, T& trace) {
  return network::given_or(trace, "alpha", in.latency,
                           gpu.name.empty() ? network::latency : network::between_gpus);
}

template <class T> auto beta_of(const Gpu& gpu, const AllReduce::Input& in, T& trace) {
  if (in.bandwidth || gpu.name.empty())
    return network::given_or(trace, "beta", in.bandwidth, network::bandwidth);
  if (gpu.find(facts::nvlink_bandwidth))
    return trace.define("beta", "one direction of NVLink", trace.fact(gpu, facts::nvlink_bandwidth) / 2.0);
  return trace.define("beta", "one direction of PCI Express", trace.fact(gpu, facts::pcie_bandwidth));
}

// The lower envelope of the straight lines time over bytes: from the line that is least at 0, always to that
// of the others which is crossed first.
struct CostLine {
  std::string_view name;
  double at_zero, slope;
};
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

} // namespace

template <class T>
AllReduce::Tables AllReduce::predict(const Gpu& gpu, const AllReduce::Input& in, T& trace) {
  if (in.ranks < 2) throw InputError("--ranks 1: one rank has its sum already, 2 or more are expected");
  const auto alpha = alpha_of(gpu, in, trace);
  const auto beta = beta_of(gpu, in, trace);
  const auto n = trace.input("n", in.bytes);
  Tables tables;
  auto& [rows, won] = tables;
  std::vector<CostLine> lines;
  for (std::size_t i = 0; i < names(Algorithm{}).size(); ++i) {
    const auto a = static_cast<Algorithm>(i);
    const Counts c = counts_of(a, in.ranks);
    const auto flow = trace.number(c.steps) * alpha + trace.number(c.sent) * n / beta;
    const auto all =
        in.reduction ? flow + trace.number(c.added) * n / trace.input("1/gamma", *in.reduction) : flow;
    const auto time = trace.define(fmt::format("T({})", names(a)[i]), "all steps one after the other", all);
    rows.push_back({.algorithm = a,
                    .ranks = in.ranks,
                    .bytes = in.bytes,
                    .steps = c.steps,
                    .time = value_of(time),
                    .bus = 2 * (in.ranks - 1) / in.ranks * in.bytes / value_of(time)});
    const double slope = c.sent / value_of(beta).value + (in.reduction ? c.added / in.reduction->value : 0);
    lines.push_back({names(a)[i], c.steps * value_of(alpha).value, slope});
  }
  const Seconds least = std::min_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
                          return a.time < b.time;
                        })->time;
  for (Row& row : rows) row.slower = row.time / least;
  won = winners(std::move(lines), in.ranks);
  return tables;
}

std::string AllReduce::verdict(const Gpu&, const AllReduce::Input& in, const Tables& tables) {
  const auto& [rows, won] = tables;
  const auto by_time = [](const Row& a, const Row& b) { return a.time < b.time; };
  const Row& best = *std::min_element(rows.begin(), rows.end(), by_time);
  const Row& worst = *std::max_element(rows.begin(), rows.end(), by_time);
  const auto name = [](const Row& row) {
    return names(row.algorithm)[static_cast<std::size_t>(row.algorithm)];
  };
  std::string text = fmt::format("{} is fastest for {} on {}: {}; {} takes {} times as long.", name(best),
                                 in_words(in.bytes), in_words(in.ranks, "ranks"), in_words(best.time),
                                 name(worst), in_words(worst.slower));
  if (won.size() > 1 && won.back().algorithm == name(best))
    text += fmt::format(" It wins from {} on.", in_words(won.back().from));
  else if (won.size() > 1)
    text += fmt::format(" From {} on {} wins.", in_words(won.back().from), won.back().algorithm);
  return text;
}

template AllReduce::Tables AllReduce::predict(const Gpu&, const AllReduce::Input&, Plain&);
template AllReduce::Tables AllReduce::predict(const Gpu&, const AllReduce::Input&, Recorder&);

} // namespace perfmodel
