#include "sampling.hpp"

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

// What rank 0 has measured: both go by it.
double of_first(double seconds, int rank) {
  if (rank == 0)
    MPI_Send(&seconds, 1, MPI_DOUBLE, 1, 1, MPI_COMM_WORLD);
  else
    MPI_Recv(&seconds, 1, MPI_DOUBLE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return seconds;
}

} // namespace

void ping_pong(Watch& watch, Send send, const std::vector<int>& sizes, Effort effort, Times& times) {
  const int rank = own_rank();
  const char* const name = send == Send::standard ? "ping-pong" : "ping-pong of synchronous sends";
  std::vector<unsigned char> ball;
  ball.reserve(static_cast<std::size_t>(sizes.back())); // the same pages for every size
  for (const int size : sizes) {
    watch.step(name);
    if (rank < 2) {
      ball.assign(static_cast<std::size_t>(size), static_cast<unsigned char>(17 + rank));
      times.add(size, samples_of(watch, name, effort, [&](int n) {
                  const double begin = MPI_Wtime();
                  for (int i = 0; i < n; ++i) there_and_back(send, rank, ball);
                  const double one = of_first((MPI_Wtime() - begin) / (2 * n), rank);
                  return Took{one, 2 * one};
                }));
      times.verified =
          times.verified && std::all_of(ball.begin(), ball.end(), [](auto b) { return b == 17; });
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

} // namespace perfmodel::messages
