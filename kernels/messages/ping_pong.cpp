#include "probes.hpp"

#include "models/core/statistics.hpp"

#include <algorithm>

namespace perfmodel::messages {

namespace {

// The same bytes go there and back: what a core sends it has just written, as programs do. Others would be in
// the receiver's cache already.
void there_and_back(Send send, int rank, std::vector<unsigned char>& ball) {
  const int size = static_cast<int>(ball.size()), other = 1 - rank;
  const auto go = [&] {
    (send == Send::standard ? MPI_Send : MPI_Ssend)(ball.data(), size, MPI_BYTE, other, 0, MPI_COMM_WORLD);
  };
  const auto come = [&] {
    MPI_Recv(ball.data(), size, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  };
  if (rank == 0)
    go(), come();
  else
    come(), go();
}

// How many times there and back fill a sample, and how many samples there are time for; both sides must
// agree.
struct Plan {
  int repeats, samples;
};
Plan plan(Send send, int rank, std::vector<unsigned char>& ball, Effort effort) {
  constexpr int tried = 4;
  const double begin = MPI_Wtime();
  for (int i = 0; i < tried; ++i) there_and_back(send, rank, ball);
  const double one = (MPI_Wtime() - begin) / tried;
  int n[2] = {static_cast<int>(std::clamp(effort.seconds_of_a_sample / one, 1.0, 1e4)),
              static_cast<int>(std::clamp(0.5 / one, 3.0, static_cast<double>(effort.samples)))};
  if (rank == 0)
    MPI_Send(n, 2, MPI_INT, 1, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(n, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return {n[0], n[1]};
}

} // namespace

Times ping_pong(Watch& watch, Send send, const std::vector<int>& sizes, Effort effort) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Times times;
  for (const int size : sizes) {
    watch.step(send == Send::standard ? "ping-pong" : "ping-pong of synchronous sends");
    if (rank < 2) {
      std::vector<unsigned char> ball(static_cast<std::size_t>(size), static_cast<unsigned char>(17 + rank));
      const auto [n, wanted] = plan(send, rank, ball, effort);
      std::vector<double> samples;
      for (int s = 0; s < wanted; ++s) {
        const double begin = MPI_Wtime();
        for (int i = 0; i < n; ++i) there_and_back(send, rank, ball);
        samples.push_back((MPI_Wtime() - begin) / (2 * n));
      }
      times.verified =
          times.verified && std::all_of(ball.begin(), ball.end(), [](auto b) { return b == 17; });
      times.points.push_back({Bytes(size), Seconds(median(samples)), Seconds(quantile(samples, 0.05)),
                              Seconds(quantile(samples, 0.95))});
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  return times;
}

} // namespace perfmodel::messages
