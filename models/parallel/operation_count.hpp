// Work W, all operations of an algorithm, and depth D, those of its longest chain: what one processor and
// what infinitely many need. Each is counted where it can be; a product by divide and conquer is a Theta of
//   W(n) = 8 W(n/2) + Theta(n^2)                 = Theta(n^3)
//   D(n) =   D(n/2) + Theta(lg n) with a temporary: all eight products at once, an addition whose loops fork
//                                                = Theta(lg^2 n)
//   D(n) = 2 D(n/2) + Theta(1)    in place: four products, then four more on top of them
//                                                = Theta(n)
// C. Leiserson's lectures on Cilk, as R. Giorgi's lesson 30 has them; W. D. Hillis and G. L. Steele, CACM
// 29(12), 1986; G. Blelloch, CMU-CS-90-190. Forks of parallel loops are free where W and D are counted.
#pragma once

#include "parallel_algorithm.hpp"
#include "powers.hpp"

namespace perfmodel {

template <class Number> struct OperationCount { Number work, depth; };

// `n` and the counts are numbers, or terms of a derivation.
template <class Number, class T>
OperationCount<Number> operation_count(ParallelAlgorithm a, const Number& n, T& trace) {
  const Number one = trace.number(1.0), two = trace.number(2.0);
  const auto levels = [&] {
    return trace.define("levels", "halvings of n down to one, lg n rounded up", round_up_lg(n));
  };
  const auto padded = [&](const Number& l) {
    return trace.define("m", "n, filled up to a power of two", power_of_two(l));
  };
  switch (a) {
  case ParallelAlgorithm::reduction:
    return {n - one, levels()};
  case ParallelAlgorithm::scan_serial:
    return {n - one, n - one};
  case ParallelAlgorithm::scan_hillis_steele: { // step k adds to all but the first 2^k
    const Number l = levels();
    return {n * l - (padded(l) - one), l};
  }
  case ParallelAlgorithm::scan_blelloch: { // up the tree and down again
    const Number l = levels();
    return {two * (padded(l) - one), two * l};
  }
  case ParallelAlgorithm::matmul_loops:
  case ParallelAlgorithm::matmul_in_place:
    return {n * n * n, n};
  case ParallelAlgorithm::matmul_divide_and_conquer: {
    const Number l = levels();
    return {n * n * n, greater(one, l * l)};
  }
  case ParallelAlgorithm::transpose:
    return {n * n, one};
  case ParallelAlgorithm::fft:
    break;
  }
  const Number l = levels();
  return {padded(l) / two * l, l};
}

} // namespace perfmodel
