#include "all_reduce_steps.hpp"

#include <cmath>

namespace perfmodel {

MessageCost cost_of(const AllReduceSteps& steps, const AllReduce::Input& in, Bytes n) {
  MessageCost cost = in.costs->of_parts(steps.share * n, n);
  if (!steps.one_way || !in.one_way) return cost;
  const MessageCost sent = in.one_way->of_parts(steps.share * n, n);
  return {.most = sent.most, .alpha = sent.alpha, .beta = sent.beta, .adding = cost.adding};
}

std::vector<AllReduceSteps> steps_of(AllReduceAlgorithm a, double p) {
  if (a == AllReduceAlgorithm::ring) return {{2 * (p - 1), 1 / p, p - 1}};
  const double rounds = std::floor(std::log2(p));
  if (a == AllReduceAlgorithm::tree) return {{2 * std::ceil(std::log2(p)), 1, std::ceil(std::log2(p)), true}};
  std::vector<AllReduceSteps> all;
  if (std::exp2(rounds) != p) all.push_back({2, 1, 1, true});
  if (a == AllReduceAlgorithm::recursive_doubling) all.push_back({rounds, 1, rounds});
  if (a == AllReduceAlgorithm::rabenseifner)
    for (double i = 1; i <= rounds; ++i) all.push_back({2, std::exp2(-i), 1});
  return all;
}

Seconds time_of(AllReduceAlgorithm a, Bytes n, const AllReduce::Input& in) {
  Seconds time{0};
  for (const AllReduceSteps& s : steps_of(a, in.ranks)) {
    const Bytes size = s.share * n;
    const MessageCost cost = cost_of(s, in, n);
    time = time + s.messages * cost.sent(size) + s.sums * cost.added(size);
  }
  return time;
}

AllReduceCounts counts_of(AllReduceAlgorithm a, double p, bool by_nccl) {
  const double share = (p - 1) / p;
  if (a == AllReduceAlgorithm::ring) return {a, 2 * (p - 1), 2 * share, share};
  if (a == AllReduceAlgorithm::tree) {
    const double rounds = std::ceil(std::log2(p));
    if (by_nccl) return {a, 2 * rounds, 2 * share, share};
    return {a, 2 * rounds, 2 * rounds, rounds};
  }
  const double rounds = std::floor(std::log2(p)), power = std::exp2(rounds);
  const bool folds = power != p; // ranks above the power of two hand over theirs, and get the sum
  const double share_of_power = (power - 1) / power;
  AllReduceCounts c = a == AllReduceAlgorithm::recursive_doubling
                          ? AllReduceCounts{a, rounds, rounds, rounds}
                          : AllReduceCounts{a, 2 * rounds, 2 * share_of_power, share_of_power};
  if (folds) c.steps += 2, c.sent += 2, c.added += 1;
  return c;
}

} // namespace perfmodel
