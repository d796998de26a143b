// What is measured between ranks.
#pragma once

#include "models/parallel/hockney_fit.hpp"
#include "watch.hpp"

#include "models/parallel/all_reduce.hpp"

#include <optional>
#include <vector>

namespace perfmodel::messages {

enum class Send { standard, synchronous }; // MPI_Send, as the library likes; MPI_Ssend, always by rendezvous

struct Effort {
  int samples = 51; // fewer where one takes longer than some ten milliseconds
  // Many clock readings long, and short enough to lie between two interruptions by the operating system.
  double seconds_of_a_sample = 2e-4;
};

struct Times {
  std::vector<Timed> points;
  bool verified = true; // what came is what was sent
};

// All ranks call these, and rank 0 gets the times.

// Half of the way there and back between ranks 0 and 1, for messages of these sizes; the others wait.
Times ping_pong(Watch& watch, Send send, const std::vector<int>& sizes, Effort effort);

// Ranks in pairs, all at once: each sends to the other and receives from it. Until the last rank has both.
Times exchange(Watch& watch, const std::vector<int>& sizes, Effort effort);

// Each rank adds a vector of floats to another, all at once. Until the last rank has.
Times adding(Watch& watch, const std::vector<int>& sizes, Effort effort);

// The sum of all ranks' vectors for all of them, by messages as the algorithm sends them, or by MPI_Allreduce
// where none is named. Until the last rank has it.
Times all_reduce(Watch& watch, const std::optional<AllReduceAlgorithm>& algorithm,
                 const std::vector<int>& sizes, Effort effort);

} // namespace perfmodel::messages
