#include "add.hpp"
#include "sampling.hpp"

#include <utility>

namespace perfmodel::messages {

// A sum sends what its core has just written, and receives into room that is a core's own as often as into
// what another has just fetched, whose lines have to be had back first. So do these, in turn; the bytes are
// written in between, and that is not counted.
void exchange(Watch& watch, const std::vector<int>& sizes, Effort effort, Times& times) {
  const int rank = own_rank(), other = rank ^ 1;
  const bool paired = other < all_ranks(); // of an odd number the last waits
  std::vector<unsigned char> first, second, room;
  for (auto* bytes : {&first, &second, &room})
    bytes->reserve(static_cast<std::size_t>(sizes.back())); // the same pages for every size
  const auto swap = [&](std::vector<unsigned char>& out, std::vector<unsigned char>& in) {
    const int size = static_cast<int>(out.size());
    const double begin = MPI_Wtime();
    MPI_Sendrecv(out.data(), size, MPI_BYTE, other, 0, in.data(), size, MPI_BYTE, other, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    return MPI_Wtime() - begin;
  };
  for (const int size : sizes) {
    for (auto* bytes : {&first, &second, &room}) bytes->resize(static_cast<std::size_t>(size));
    times.add(size, samples_together(watch, "an exchange", effort, [&] {
                if (!paired) return 0.;
                const auto write = [&](auto& bytes) {
                  std::fill(bytes.begin(), bytes.end(), static_cast<unsigned char>(17 + rank));
                };
                write(first), write(second);
                return (swap(first, room) + swap(second, first)) / 2;
              }));
    const auto came = [&](auto b) { return b == static_cast<unsigned char>(17 + other); };
    times.verified = times.verified && (!paired || (std::all_of(room.begin(), room.end(), came) &&
                                                    std::all_of(first.begin(), first.end(), came)));
  }
}

// What a rank adds has just come, and what it adds to has just been fetched by another: their lines are in
// other cores' caches, too, and have to be had back before they are written. The same vectors added again and
// again would be a core's own. So the times of adding are picked out of those of exchanges.
void adding(Watch& watch, const std::vector<int>& sizes, Effort effort, Times& times) {
  const int other = own_rank() ^ 1;
  const bool paired = other < all_ranks();
  std::vector<float> sum, more;
  sum.reserve(static_cast<std::size_t>(sizes.back()) / sizeof(float));
  more.reserve(sum.capacity());
  for (const int size : sizes) {
    const auto n = static_cast<std::size_t>(size) / sizeof(float);
    sum.assign(n, 1.f);
    more.resize(n);
    const auto once = [&] {
      if (paired)
        MPI_Sendrecv(sum.data(), size, MPI_BYTE, other, 0, more.data(), size, MPI_BYTE, other, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const double begin = MPI_Wtime();
      add(sum.data(), more.data(), n);
      return MPI_Wtime() - begin;
    };
    times.add(size, samples_together(watch, "adding", effort, once));
    // Equal ones, doubled as often everywhere, which is exact, or past all numbers.
    times.verified = times.verified && sum.front() > 0 &&
                     std::all_of(sum.begin(), sum.end(), [&](float x) { return x == sum.front(); });
  }
}

} // namespace perfmodel::messages
