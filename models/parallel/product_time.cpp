#include "product_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfmodel {

ProductTime product_time(ProductWay way, double n, double p, const ProductCosts& c) {
  ProductTime t;
  const double rows = std::ceil(n / p), rounds = std::ceil(std::log2(p));
  t.compute = rows * n * n * 2 * c.operation;
  const Bytes matrix = n * n * c.word;
  if (way == ProductWay::gpus) {
    t.copies = (matrix + 2 * std::min(1.0, rows / n) * matrix) / c.host_link;
    t.launches = 2 * c.launch;
  }
  if (p <= 1) return t;
  if (way == ProductWay::shared_memory) {
    t.spawn = (p - 1) * c.spawn;
    t.barrier = (c.kind == BarrierKind::logarithmic ? rounds : p) * c.barrier;
    t.locks = p * c.lock;
    return t;
  }
  t.scatter = t.gather = rounds * c.alpha + (p - 1) / p * matrix / c.beta;
  t.broadcast = rounds * (c.alpha + matrix / c.beta);
  t.reduction = rounds * (c.alpha + c.word / c.beta);
  return t;
}

double product_speedup(ProductWay way, double n, double p, const ProductCosts& costs) {
  return product_time(way, n, 1, costs).total() / product_time(way, n, p, costs).total();
}

double rows_for_efficiency(ProductWay way, double p, double efficiency, const ProductCosts& costs) {
  const auto reaches = [&](double n) { return product_speedup(way, n, p, costs) >= efficiency * p; };
  // Of all that give the slowest process k rows, k p is the most efficient.
  const auto suffices = [&](double k) { return reaches(k * p); };
  constexpr double most = 1e9;
  double high = 1;
  while (!suffices(high))
    if ((high *= 2) > most) return std::numeric_limits<double>::quiet_NaN();
  for (double low = std::floor(high / 2); high - low > 1;) {
    const double middle = std::floor((low + high) / 2);
    (suffices(middle) ? high : low) = middle;
  }
  double few = (high - 1) * p, enough = high * p; // rows
  while (enough - few > 1) {
    const double middle = std::floor((few + enough) / 2);
    (reaches(middle) ? enough : few) = middle;
  }
  return enough;
}

} // namespace perfmodel
