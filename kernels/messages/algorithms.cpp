#include "algorithms.hpp"

#include "add.hpp"
#include "sampling.hpp"

namespace perfmodel::messages {

namespace {

// A part of a vector: [first, last).
struct Part {
  std::size_t first, last;
  std::size_t size() const { return last - first; }
  int count() const { return static_cast<int>(last - first); }
};

// The i-th of p parts, as equal as whole numbers allow.
Part part(std::size_t n, int i, int p) {
  const auto begin = [&](int k) { return n * static_cast<std::size_t>(k) / static_cast<std::size_t>(p); };
  return {begin(i), begin(i + 1)};
}

void send(const float* from, int count, int to) { MPI_Send(from, count, MPI_FLOAT, to, 0, MPI_COMM_WORLD); }
void receive(float* into, int count, int from) {
  MPI_Recv(into, count, MPI_FLOAT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
void swap(const float* out, int sent, int to, float* in, int received, int from) {
  MPI_Sendrecv(out, sent, MPI_FLOAT, to, 0, in, received, MPI_FLOAT, from, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

// Every part goes round once and is added to at each rank, then once more, complete.
void ring(std::vector<float>& own, std::vector<float>& room) {
  const int p = all_ranks(), rank = own_rank(), next = (rank + 1) % p, before = (rank + p - 1) % p;
  for (int step = 0; step < 2 * (p - 1); ++step) {
    const bool adds = step < p - 1;
    const Part out = part(own.size(), (rank - step + 2 * p) % p, p),
               in = part(own.size(), (rank - step - 1 + 2 * p) % p, p);
    float* const into = (adds ? room : own).data() + in.first;
    swap(own.data() + out.first, out.count(), next, into, in.count(), before);
    if (adds) add(own.data() + in.first, room.data() + in.first, in.size());
  }
}

// The ranks above the largest power of two give their vectors to those below, which run `core`, and get the
// sum from them.
template <class Core> void on_power_of_two(std::vector<float>& own, std::vector<float>& room, Core core) {
  const int p = all_ranks(), rank = own_rank(), n = static_cast<int>(own.size());
  int power = 1;
  while (2 * power <= p) power *= 2;
  if (rank >= power) {
    send(own.data(), n, rank - power);
    receive(own.data(), n, rank - power);
    return;
  }
  const bool has_guest = rank + power < p;
  if (has_guest) {
    receive(room.data(), n, rank + power);
    add(own.data(), room.data(), own.size());
  }
  core(power, rank);
  if (has_guest) send(own.data(), n, rank + power);
}

void doubling(std::vector<float>& own, std::vector<float>& room) {
  on_power_of_two(own, room, [&](int power, int rank) {
    const int n = static_cast<int>(own.size());
    for (int distance = 1; distance < power; distance *= 2) {
      const int other = rank ^ distance;
      swap(own.data(), n, other, room.data(), n, other);
      add(own.data(), room.data(), own.size());
    }
  });
}

// Halves of what a rank still has go to and come from ranks ever nearer, until each has the sum of one part;
// then the same way back.
void rabenseifner(std::vector<float>& own, std::vector<float>& room) {
  on_power_of_two(own, room, [&](int power, int rank) {
    std::vector<Part> kept{{0, own.size()}};
    for (int distance = power / 2; distance > 0; distance /= 2) {
      const int other = rank ^ distance;
      const Part whole = kept.back();
      const std::size_t middle = whole.first + whole.size() / 2;
      const bool low = rank < other;
      const Part keep = low ? Part{whole.first, middle} : Part{middle, whole.last};
      const Part give = low ? Part{middle, whole.last} : Part{whole.first, middle};
      swap(own.data() + give.first, give.count(), other, room.data() + keep.first, keep.count(), other);
      add(own.data() + keep.first, room.data() + keep.first, keep.size());
      kept.push_back(keep);
    }
    for (int distance = 1; distance < power; distance *= 2) {
      const int other = rank ^ distance;
      const Part have = kept.back();
      kept.pop_back();
      const Part whole = kept.back();
      const Part get =
          have.first == whole.first ? Part{have.last, whole.last} : Part{whole.first, have.first};
      swap(own.data() + have.first, have.count(), other, own.data() + get.first, get.count(), other);
    }
  });
}

// Reduced to rank 0 along a binomial tree, and broadcast along it.
void tree(std::vector<float>& own, std::vector<float>& room) {
  const int p = all_ranks(), rank = own_rank(), n = static_cast<int>(own.size());
  int distance = 1;
  for (; distance < p; distance *= 2) {
    if ((rank & distance) != 0) {
      send(own.data(), n, rank - distance);
      receive(own.data(), n, rank - distance);
      break;
    }
    if (rank + distance < p) {
      receive(room.data(), n, rank + distance);
      add(own.data(), room.data(), own.size());
    }
  }
  for (distance /= 2; distance > 0; distance /= 2)
    if (rank + distance < p) send(own.data(), n, rank + distance);
}

} // namespace

void sum_by(AllReduceAlgorithm algorithm, std::vector<float>& own, std::vector<float>& room) {
  switch (algorithm) {
  case AllReduceAlgorithm::ring:
    return ring(own, room);
  case AllReduceAlgorithm::recursive_doubling:
    return doubling(own, room);
  case AllReduceAlgorithm::rabenseifner:
    return rabenseifner(own, room);
  case AllReduceAlgorithm::tree:
    return tree(own, room);
  }
}

} // namespace perfmodel::messages
