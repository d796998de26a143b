// What is measured between ranks.
#pragma once

#include "watch.hpp"

#include "models/parallel/all_reduce.hpp"
#include "models/parallel/rounds.hpp"

#include <optional>
#include <vector>

namespace perfmodel::messages {

enum class Send { standard, synchronous }; // MPI_Send, as the library likes; MPI_Ssend, always by rendezvous

struct Effort { // of one round
  std::size_t samples = 11;
  // Many clock readings long, and short enough to lie between two interruptions by the operating system.
  double seconds_of_a_sample = 2e-4;
  double seconds_of_a_size = 0.1; // no new sample after that
};

struct Times {
  std::vector<Rounds> rounds; // of each size
  std::vector<Timed> points;  // what is typical of them
  bool verified = true;       // what came is what was sent
  void add(int bytes, std::vector<double> samples);
};

// All ranks call these, once a round, and rank 0 gets the times. Sizes and probes take turns that way: what
// else runs on the machine for some seconds spoils a round, not a size.

// Half of the way there and back between ranks 0 and 1, for messages of these sizes; the others wait.
void ping_pong(Watch& watch, Send send, const std::vector<int>& sizes, Effort effort, Times& times);

// Ranks in pairs, all at once: each sends to the other and receives from it. Until the last rank has both.
void exchange(Watch& watch, const std::vector<int>& sizes, Effort effort, Times& times);

// Each rank adds a vector of floats to another, all at once. Until the last rank has.
void adding(Watch& watch, const std::vector<int>& sizes, Effort effort, Times& times);

// The sum of all ranks' vectors for all of them, by messages as the algorithm sends them, or by MPI_Allreduce
// where none is named. Until the last rank has it.
void all_reduce(Watch& watch, const std::optional<AllReduceAlgorithm>& algorithm,
                const std::vector<int>& sizes, Effort effort, Times& times);

} // namespace perfmodel::messages
