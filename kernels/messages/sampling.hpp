// The time of something that all ranks do together.
#pragma once

#include "probes.hpp"

#include "models/core/statistics.hpp"

#include <algorithm>

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

// Of `once`, so often in a row that a sample is long enough for the clock; the mean of a row is a sample, of
// the rank that takes longest. All ranks call it.
template <class Once>
Timed time_together(Watch& watch, const char* what, double bytes, Effort effort, Once once) {
  watch.step(what);
  once();
  MPI_Barrier(MPI_COMM_WORLD);
  double one = MPI_Wtime();
  once();
  one = std::max(MPI_Wtime() - one, 1e-8);
  int plan[2] = {static_cast<int>(std::clamp(effort.seconds_of_a_sample / one, 1.0, 1e4)),
                 static_cast<int>(std::clamp(0.5 / one, 3.0, static_cast<double>(effort.samples)))};
  MPI_Bcast(plan, 2, MPI_INT, 0, MPI_COMM_WORLD);
  std::vector<double> samples;
  for (int s = 0; s < plan[1]; ++s) {
    watch.step(what);
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < plan[0]; ++i) once();
    double own = (MPI_Wtime() - begin) / plan[0], last = 0;
    MPI_Allreduce(&own, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    samples.push_back(last);
  }
  return {Bytes(bytes), Seconds(median(samples)), Seconds(quantile(samples, 0.05)),
          Seconds(quantile(samples, 0.95))};
}

} // namespace perfmodel::messages
