// The time of something that all ranks do together.
#pragma once

#include "probes.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

namespace perfmodel::messages {

inline int own_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
inline int all_ranks() {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks;
}

// What one time took of several in a row, and what it took with all that is not counted.
struct Took {
  double one, whole; // seconds
};

// Seconds of one of what `row(n)` does n times in a row, sample by sample; the same on all ranks that call
// it. Rows are long enough for the clock, and grow to that: with other programs on its cores a rank may wait
// a time slice for every message, and a row as long as the first time let expect would take minutes.
template <class Row> std::vector<double> samples_of(Watch& watch, const char* what, Effort effort, Row row) {
  constexpr int growth = 8;
  Took took{};
  double spent = 0;
  int n = 1;
  const auto next = [&] {
    watch.step(what);
    took = row(n);
    spent += n * took.whole;
    return static_cast<int>(std::clamp(effort.seconds_of_a_sample / std::max(took.whole, 1e-9), 1.0, 1e4));
  };
  next(); // touches pages, and fills caches
  for (int wanted = next(); wanted > 2 * n; wanted = next()) n = std::min(wanted, growth * n);
  std::vector<double> samples{took.one};
  while (samples.size() < effort.samples && spent < effort.seconds_of_a_size) {
    next();
    samples.push_back(took.one);
  }
  return samples;
}

// The same of `once`, which all ranks do together: of the rank that takes longest. Where it returns seconds,
// of these.
template <class Once>
std::vector<double> samples_together(Watch& watch, const char* what, Effort effort, Once once) {
  return samples_of(watch, what, effort, [&](int n) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    double counted = 0;
    for (int i = 0; i < n; ++i) {
      if constexpr (std::is_void_v<decltype(once())>)
        once();
      else
        counted += once();
    }
    const double whole = MPI_Wtime() - begin;
    double own[2] = {std::is_void_v<decltype(once())> ? whole : counted, whole}, last[2] = {};
    MPI_Allreduce(own, last, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return Took{last[0] / n, last[1] / n};
  });
}

} // namespace perfmodel::messages
