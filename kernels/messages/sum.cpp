#include "algorithms.hpp"
#include "sampling.hpp"

namespace perfmodel::messages {

namespace {

// Another number in every place that is seven away from none of its like: a part that is added twice, or put
// in the wrong place, is seen. The sums are whole and exact.
float of(int rank, std::size_t i) { return static_cast<float>((rank + 1) * static_cast<int>(1 + i % 7)); }

} // namespace

void all_reduce(Watch& watch, const std::optional<AllReduceAlgorithm>& algorithm,
                const std::vector<int>& sizes, Effort effort, Times& times) {
  const int rank = own_rank(), ranks = all_ranks();
  const char* const name =
      algorithm ? names(*algorithm)[static_cast<std::size_t>(*algorithm)].data() : "MPI_Allreduce";
  std::vector<float> own, other;
  own.reserve(static_cast<std::size_t>(sizes.back()) / sizeof(float)); // the same pages for every size
  other.reserve(own.capacity());
  for (const int size : sizes) {
    const auto n = static_cast<std::size_t>(size) / sizeof(float);
    own.resize(n);
    other.resize(n);
    const auto once = [&] {
      if (algorithm)
        sum_by(*algorithm, own, other);
      else
        MPI_Allreduce(own.data(), other.data(), static_cast<int>(n), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    };
    for (std::size_t i = 0; i < n; ++i) own[i] = of(rank, i);
    watch.step(name);
    once();
    const std::vector<float>& sum = algorithm ? own : other;
    const int of_ranks = ranks * (ranks + 1) / 2 - 1; // 1 + 2 + ... + ranks, counted from rank 0's 1
    for (std::size_t i = 0; i < n; ++i) times.verified = times.verified && sum[i] == of(of_ranks, i);
    // In place, sums grow by the number of ranks each time, past all numbers: of zeros they stay.
    std::fill(own.begin(), own.end(), 0.f);
    times.add(size, samples_together(watch, name, effort, once));
  }
  int own_verdict = times.verified ? 1 : 0, all = 0;
  MPI_Allreduce(&own_verdict, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  times.verified = all != 0;
}

} // namespace perfmodel::messages
