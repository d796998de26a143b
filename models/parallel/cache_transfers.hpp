// Q(n; Z, L): lines of L bytes that cross between memory and an ideal cache of Z bytes, fetched or written
// back, for words of w bytes.
//   reduction, scans   ceil(n w / L) for each time that the numbers pass: Theta(n / L)
//   product            (2 n^3 / t^2 + n^2 / t) max(1, t w / L), t the side of three tiles that fit together:
//                      Theta(n^3 / (L sqrt Z)); of three plain loops, as many lines as their innermost one
//                      misses
//   transpose          n^2 w / L + n^2 / t max(1, t w / L), two tiles: Theta(n^2 / L)
//   FFT                numbers of two words read and written once for every factor Z of n: Theta(n / L log_Z
//   n)
// J.-W. Hong and H. T. Kung, STOC 1981; A. Aggarwal and J. S. Vitter, CACM 31(9), 1988; M. Frigo et al., FOCS
// 1999. Assumes one cache for all processors that evicts the best line; tiles are cut as the cache wants
// them, a recursion by halves is within a constant of that.
#pragma once

#include "models/core/units.hpp"
#include "parallel_algorithm.hpp"
#include "powers.hpp"

namespace perfmodel {

// Whether the cache holds all that the algorithm touches twice: then every line crosses once, and a larger
// cache saves nothing. False where nothing is touched twice.
inline bool fits(ParallelAlgorithm a, double n, Bytes cache, Bytes word) {
  switch (a) {
  case ParallelAlgorithm::reduction:
  case ParallelAlgorithm::scan_serial:
    return false;
  case ParallelAlgorithm::scan_hillis_steele:
    return 2 * n * word <= cache;
  case ParallelAlgorithm::scan_blelloch:
    return n * word <= cache;
  case ParallelAlgorithm::transpose:
    return 2 * n * n * word <= cache;
  case ParallelAlgorithm::fft:
    return 2 * power_of_two(round_up_lg(n)) * word <= cache;
  default:
    return 3 * n * n * word <= cache;
  }
}

// `n`, and the bytes of cache, line and word, are quantities, or terms of a derivation.
template <class Number, class Size, class T>
Number cache_transfers(ParallelAlgorithm a, const Number& n, const Size& cache, const Size& line,
                       const Size& word, T& trace) {
  const Number one = trace.number(1.0), two = trace.number(2.0), three = trace.number(3.0);
  const bool all = fits(a, value_of(n), value_of(cache), value_of(word));
  const auto stream = [&] {
    return trace.define("lines", "lines that the numbers fill", round_up(n * word / line));
  };
  // Side of a square tile of which so many fit. Rows shorter than a line take all of it.
  const auto side = [&](const Number& tiles) {
    const Number words = square_root(cache / (tiles * word)), rows = cache / (tiles * line);
    return trace.define("t", "side of a tile, in words", greater(one, lesser(n, lesser(words, rows))));
  };
  const auto row = [&](const Number& length) {
    return trace.define("row", "lines of a row", greater(one, length * word / line));
  };
  switch (a) {
  case ParallelAlgorithm::reduction:
    return stream();
  case ParallelAlgorithm::scan_serial:
    return two * stream();
  case ParallelAlgorithm::scan_hillis_steele: // every step reads one array and writes the other
    return all ? two * stream() : two * stream() * greater(one, round_up_lg(n));
  case ParallelAlgorithm::scan_blelloch: // in blocks that fit: sums on the way up, results on the way down
    return all ? two * stream() : three * stream();
  case ParallelAlgorithm::transpose: {
    const Number t = side(two);
    return greater(n, n * n * word / line) + n * n / t * row(t);
  }
  case ParallelAlgorithm::matmul_loops: { // rows of A and C stay; a column of B is a line for every element
    const Number r = row(n);
    if (all) return three * n * r;
    const bool column_stays = value_of(n) * value_of(line) <= value_of(cache);
    return column_stays ? two * n * r + n * n * r : two * n * r + n * n * n;
  }
  case ParallelAlgorithm::matmul_divide_and_conquer:
  case ParallelAlgorithm::matmul_in_place: {
    const Number t = side(three);
    return (two * n * n * n / (t * t) + n * n / t) * row(t);
  }
  case ParallelAlgorithm::fft:
    break;
  }
  const Number m = trace.define("m", "n, filled up to a power of two", power_of_two(round_up_lg(n)));
  const Number held =
      trace.define("held", "numbers that the cache holds", greater(two, cache / (two * word)));
  const Number passes =
      trace.define("passes", "log n to the base of these", greater(one, round_up(lg(m) / lg(held))));
  return two * round_up(two * m * word / line) * passes;
}

// The cache with which each line does twice the work: four times as large for a product, its square for an
// FFT (H. T. Kung, ISCA 1986). Absent where no cache does, or nothing is left to save.
inline Bytes cache_for_twice_the_work(ParallelAlgorithm a, double n, Bytes cache, Bytes word) {
  if (fits(a, n, cache, word)) return Bytes(absent);
  if (a == ParallelAlgorithm::matmul_divide_and_conquer || a == ParallelAlgorithm::matmul_in_place)
    return 4 * cache;
  if (a == ParallelAlgorithm::fft) return cache / (2 * word) * cache;
  return Bytes(absent);
}

} // namespace perfmodel
