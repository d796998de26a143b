// The product of two n x n matrices with the sum of its elements by P processes, as terms. Every process has
// ceil(n / P) rows or fewer; the one with most is waited for.
//   compute      ceil(n / P) n^2 2 tau
//   in shared memory: spawning (P - 1) t_spawn, a barrier log2 P or P times t_bar, P locks one after the
//   other by messages, and between GPUs: A is scattered and C gathered (each ceil(lg P) alpha + (P - 1) / P w
//   n^2 / beta), B is broadcast down a tree (ceil(lg P) (alpha + w n^2 / beta)), the sums are added up one
//   (ceil(lg P) (alpha + w / beta))
//   on GPUs also: rows of A, all of B and rows of C over the link to the host, and two launches, of the
//   product and of the sum
// R. Giorgi, lesson 30, slides 2 to 5; the terms beside compute are ours.
#pragma once

#include "models/core/units.hpp"

#include <array>
#include <string_view>

namespace perfmodel {

// Who does it: threads of one memory; nodes that send messages; GPUs.
enum class ProductWay : std::uint8_t { shared_memory, messages, gpus };
constexpr auto names(ProductWay) {
  return std::to_array<std::string_view>({"shared-memory", "messages", "gpus"});
}

enum class BarrierKind : std::uint8_t { logarithmic, linear };
constexpr auto names(BarrierKind) { return std::to_array<std::string_view>({"logarithmic", "linear"}); }

struct ProductCosts {
  Seconds operation;            // tau, of one multiply or add
  Seconds barrier, lock, spawn; // shared memory
  BarrierKind kind = BarrierKind::logarithmic;
  Seconds alpha;                  // messages
  BytesPerSecond beta, host_link; // host_link: of GPUs
  Seconds launch;                 // of a kernel
  Bytes word{8};
};

struct ProductTime {
  Seconds compute, spawn, barrier, locks, scatter, broadcast, gather, reduction, copies, launches;
  // All that is no computing.
  Seconds overhead() const {
    return spawn + barrier + locks + scatter + broadcast + gather + reduction + copies + launches;
  }
  Seconds total() const { return compute + overhead(); }
};

// n rows, p processes, both whole and at least 1; p may be more than n: then some have nothing to do.
ProductTime product_time(ProductWay way, double n, double p, const ProductCosts& costs);

// Time of one process, without synchronising, over time of p.
double product_speedup(ProductWay way, double n, double p, const ProductCosts& costs);

// Isoefficiency: the fewest rows with which p processes have this efficiency or more; NaN
// where 10^9 rows for each of them do not suffice. efficiency is above 0 and below 1.
double rows_for_efficiency(ProductWay way, double p, double efficiency, const ProductCosts& costs);

} // namespace perfmodel
