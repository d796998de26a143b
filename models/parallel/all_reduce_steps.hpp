// The steps of each algorithm of an all-reduce: their number, what they send and what they add.
#pragma once

#include "all_reduce.hpp"

#include <vector>

namespace perfmodel {

// How many alphas, how many times n over beta, how many times n gamma.
struct AllReduceCounts {
  AllReduceAlgorithm algorithm;
  double steps, sent, added;
};

// Of p ranks. `by_nccl`: its tree is two, each of half the bytes, in pieces on their way up and down at once;
// what hands on in one is a leaf of the other.
AllReduceCounts counts_of(AllReduceAlgorithm a, double p, bool by_nccl);

// Steps of one size: so many messages of this share of n, after so many of which the share is added. Both
// ways at once, or one way.
struct AllReduceSteps {
  double messages, share, sums;
  bool one_way = false;
};
std::vector<AllReduceSteps> steps_of(AllReduceAlgorithm a, double p);

// Of inputs with costs by size: what one of these messages costs, and the whole all-reduce, of n bytes.
MessageCost cost_of(const AllReduceSteps& steps, const AllReduce::Input& in, Bytes n);
Seconds time_of(AllReduceAlgorithm a, Bytes n, const AllReduce::Input& in);

} // namespace perfmodel
