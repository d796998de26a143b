#include "probes.hpp"

#include "models/core/statistics.hpp"

#include <algorithm>

namespace perfmodel::messages {

namespace {

void there_and_back(Send send, int rank, std::vector<unsigned char>& out, std::vector<unsigned char>& in) {
  const int size = static_cast<int>(out.size()), other = 1 - rank;
  const auto go = [&] {
    (send == Send::standard ? MPI_Send : MPI_Ssend)(out.data(), size, MPI_BYTE, other, 0, MPI_COMM_WORLD);
  };
  const auto come = [&] { MPI_Recv(in.data(), size, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); };
  if (rank == 0)
    go(), come();
  else
    come(), go();
}

// How many times there and back fill a sample; both sides must agree.
int repeats(Send send, int rank, std::vector<unsigned char>& out, std::vector<unsigned char>& in,
            double wanted) {
  constexpr int tried = 4;
  const double begin = MPI_Wtime();
  for (int i = 0; i < tried; ++i) there_and_back(send, rank, out, in);
  int n = static_cast<int>(std::clamp(wanted * tried / (MPI_Wtime() - begin), 1.0, 1e4));
  if (rank == 0)
    MPI_Send(&n, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(&n, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return n;
}

} // namespace

Times ping_pong(Watch& watch, Send send, const std::vector<int>& sizes, Effort effort) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Times times;
  for (const int size : sizes) {
    watch.step(send == Send::standard ? "ping-pong" : "ping-pong of synchronous sends");
    if (rank < 2) {
      std::vector<unsigned char> out(static_cast<std::size_t>(size), static_cast<unsigned char>(17 + rank)),
          in(out.size());
      const int n = repeats(send, rank, out, in, effort.seconds_of_a_sample);
      std::vector<double> samples;
      for (int s = 0; s < effort.samples; ++s) {
        const double begin = MPI_Wtime();
        for (int i = 0; i < n; ++i) there_and_back(send, rank, out, in);
        samples.push_back((MPI_Wtime() - begin) / (2 * n));
      }
      const auto expected = static_cast<unsigned char>(17 + (1 - rank));
      times.verified =
          times.verified && std::all_of(in.begin(), in.end(), [&](auto b) { return b == expected; });
      times.points.push_back({Bytes(size), Seconds(median(samples)), Seconds(quantile(samples, 0.05)),
                              Seconds(quantile(samples, 0.95))});
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return times;
}

} // namespace perfmodel::messages
