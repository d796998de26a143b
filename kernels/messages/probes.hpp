// What is measured between ranks.
#pragma once

#include "models/parallel/hockney_fit.hpp"
#include "watch.hpp"

#include <vector>

namespace perfmodel::messages {

enum class Send { standard, synchronous }; // MPI_Send, as the library likes; MPI_Ssend, always by rendezvous

struct Effort {
  int samples = 41;
  double seconds_of_a_sample = 2e-3;
};

struct Times {
  std::vector<Timed> points;
  bool verified = true; // what came is what was sent
};

// Half of the way there and back between ranks 0 and 1, for messages of these sizes; the others wait. All
// ranks call it, and rank 0 gets the times.
Times ping_pong(Watch& watch, Send send, const std::vector<int>& sizes, Effort effort);

// MPI_Allreduce of floats, summed: until the last rank has it. All ranks call it, and rank 0 gets the times.
Times all_reduce(Watch& watch, const std::vector<int>& sizes, Effort effort);

} // namespace perfmodel::messages
