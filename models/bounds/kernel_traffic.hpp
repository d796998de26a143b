// Work W and bytes Q between memory and a cache of Z bytes, of the kernels that every course puts on a
// roofline. Words have w bytes.
//   spmv     W = 2 k n          n rows of k numbers, each with a column index of i bytes (CSR)
//            Q = n k (w + i) + n i + n w + w max(n, k n (1 - Z / n w)): x once if it fits, else by chance
//   stencil  W = (7 r + 1) n    a star of 6 r neighbours in three dimensions, one coefficient for each
//   distance
//            Q = reads n w + n w, reads = 1 where 2 r + 1 planes of n^(2/3) stay, 2 r + 1 where as many rows
//            of each do, else 4 r + 1 (layer conditions)
//   fft      W = 5 n lg n       n complex numbers of two words, radix 2
//            Q = 4 n w passes, passes = lg n / lg(Z / 2 w) rounded up
//   matmul   W = 2 n^3          square matrices
//            Q = w (2 n^3 / t + n^2), t = sqrt(Z / 3 w), and 3 n^2 w at least
// The least that any cache leaves is every number once: Q as Z grows without end.
// S. Williams, A. Waterman, D. Patterson, CACM 52(4), 2009 (SpMV, stencil); G. Rivera, C.-W. Tseng, SC 2000,
// and H. Stengel et al., ICS 2015 (layers); J.-W. Hong, H. T. Kung, STOC 1981 (FFT, product). Assumes an
// ideal cache, columns of a sparse matrix that are strewn evenly, and writes that need not be read before.
#pragma once

#include "models/core/trace.hpp"
#include "models/parallel/powers.hpp"

#include <array>
#include <cmath>
#include <string_view>

namespace perfmodel {

enum class KnownKernel { spmv, stencil, fft, matmul };
constexpr auto names(KnownKernel) {
  return std::to_array<std::string_view>({"spmv", "stencil", "fft", "matmul"});
}
constexpr std::string_view name_of(KnownKernel k) { return names(k)[static_cast<std::size_t>(k)]; }

inline double cube_root(double a) { return std::cbrt(a); }
inline Term<double> cube_root(const Term<double>& a) { return {cube_root(a.value), detail::call("cbrt", a)}; }

// Numbers, sizes in bytes, or terms of a derivation.
template <class Number, class Size> struct KernelShape {
  Number n, nonzeros, reach;
  Size word, index, cache;
};

template <class Work, class Size> struct KernelTraffic {
  Work work;
  Size least, bytes;
};

template <class Number, class Size, class T>
auto kernel_traffic(KnownKernel kernel, const KernelShape<Number, Size>& s, T& trace) {
  const auto one = trace.number(1.0), two = trace.number(2.0), three = trace.number(3.0);
  const auto flop = trace.number(Flops(1));
  using Traffic = KernelTraffic<std::decay_t<decltype(s.n * flop)>, Size>;
  const Number& n = s.n;
  const auto& w = s.word;
  switch (kernel) {
  case KnownKernel::spmv: {
    const Number entries = trace.define("nz", "numbers that are not zero", n * s.nonzeros);
    const Size matrix =
        trace.define("matrix", "numbers, columns, rows and y", entries * (w + s.index) + n * s.index + n * w);
    const Number missing = one - lesser(one, s.cache / (n * w)); // of x
    return Traffic{two * entries * flop, matrix + n * w, matrix + w * greater(n, entries * missing)};
  }
  case KnownKernel::stencil: {
    const Number side = trace.define("side", "points along an edge", cube_root(n));
    const Number layers = two * s.reach + one;
    const bool planes = value_of(layers) * value_of(side) * value_of(side) * value_of(w) <= value_of(s.cache);
    const bool rows = value_of(layers) * value_of(layers) * value_of(side) * value_of(w) <= value_of(s.cache);
    const Number reads = trace.define("reads", "times that a number is read",
                                      planes ? one
                                      : rows ? layers
                                             : two * layers - one);
    return Traffic{(trace.number(7.0) * s.reach + one) * n * flop, two * n * w, reads * n * w + n * w};
  }
  case KnownKernel::fft: {
    const Number held =
        trace.define("held", "numbers that the cache holds", greater(two, s.cache / (two * w)));
    const Number passes =
        trace.define("passes", "times that all pass", greater(one, round_up(lg(n) / lg(held))));
    const Size once = trace.number(4.0) * n * w;
    return Traffic{trace.number(5.0) * n * lg(n) * flop, once, once * passes};
  }
  case KnownKernel::matmul:
    break;
  }
  const Number t = trace.define("t", "side of the tiles, three of which the cache holds",
                                greater(one, lesser(n, square_root(s.cache / (three * w)))));
  const Size least = three * n * n * w;
  return Traffic{two * n * n * n * flop, least, greater(least, (two * n * n * n / t + n * n) * w)};
}

} // namespace perfmodel
