#include "probes.hpp"

#include "models/core/statistics.hpp"

#include <algorithm>

namespace perfmodel::messages {

Times all_reduce(Watch& watch, const std::vector<int>& sizes, Effort effort) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Times times;
  for (const int size : sizes) {
    watch.step("all-reduce");
    const int n = size / static_cast<int>(sizeof(float));
    std::vector<float> own(static_cast<std::size_t>(n), static_cast<float>(rank + 1)), sum(own.size());
    const auto once = [&] { MPI_Allreduce(own.data(), sum.data(), n, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD); };
    for (int i = 0; i < 3; ++i) once();
    std::vector<double> samples;
    for (int s = 0; s < effort.samples; ++s) {
      MPI_Barrier(MPI_COMM_WORLD);
      const double begin = MPI_Wtime();
      once();
      double own_time = MPI_Wtime() - begin, last = 0;
      MPI_Reduce(&own_time, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
      samples.push_back(last);
    }
    const int sum_of_ranks = ranks * (ranks + 1) / 2; // 1 + 2 + ... + ranks
    const auto expected = static_cast<float>(sum_of_ranks);
    times.verified =
        times.verified && std::all_of(sum.begin(), sum.end(), [&](float x) { return x == expected; });
    times.points.push_back({Bytes(size), Seconds(median(samples)), Seconds(quantile(samples, 0.05)),
                            Seconds(quantile(samples, 0.95))});
  }
  return times;
}

} // namespace perfmodel::messages
