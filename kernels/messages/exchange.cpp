#include "add.hpp"
#include "sampling.hpp"

#include <utility>

namespace perfmodel::messages {

void exchange(Watch& watch, const std::vector<int>& sizes, Effort effort, Times& times) {
  const int rank = own_rank(), other = rank ^ 1;
  const bool paired = other < all_ranks(); // of an odd number the last waits
  for (const int size : sizes) {
    std::vector<unsigned char> out(static_cast<std::size_t>(size), static_cast<unsigned char>(17 + rank)),
        in(out.size());
    std::size_t sent = 0;
    // What has come goes back: bytes that a program sends, its own core has just written. The same ones again
    // would be in the other's cache already.
    times.add(size, samples_together(watch, "an exchange", effort, [&] {
                if (!paired) return;
                MPI_Sendrecv(out.data(), size, MPI_BYTE, other, 0, in.data(), size, MPI_BYTE, other, 0,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                std::swap(out, in);
                ++sent;
              }));
    const auto expected = static_cast<unsigned char>(17 + (sent % 2 == 1 ? other : rank));
    times.verified = times.verified &&
                     (!paired || std::all_of(out.begin(), out.end(), [&](auto b) { return b == expected; }));
  }
}

void adding(Watch& watch, const std::vector<int>& sizes, Effort effort, Times& times) {
  for (const int size : sizes) {
    const auto n = static_cast<std::size_t>(size) / sizeof(float);
    std::vector<float> sum(n, 0.f);
    const std::vector<float> more(n, 1.f);
    times.add(size, samples_together(watch, "adding", effort, [&] { add(sum.data(), more.data(), n); }));
    // However often they were added: as often everywhere.
    times.verified = times.verified && sum.front() > 0 &&
                     std::all_of(sum.begin(), sum.end(), [&](float x) { return x == sum.front(); });
  }
}

} // namespace perfmodel::messages
