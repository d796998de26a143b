// A program of ranks, run: the rank whose clock is behind all others goes next (of equals the lowest), so
// that nothing depends on chance. Time of a message of n bytes: T = alpha + n / beta, alpha = L + 2 o.
//   synchronous send   both sides go on at max(sender, receiver) + handshake + T
//   buffered send      the sender goes on after o + n / c (it has copied the message); the receiver has it at
//                      max(receiver, sender's + T)
//   barrier            all go on at the latest arrival + ceil(log2 ranks) alpha     (dissemination barrier)
//   lock               in the order of arrival, plus what taking it costs
#pragma once

#include "rank_program.hpp"
#include "wait_for_graph.hpp"

#include <optional>
#include <string>
#include <vector>

namespace perfmodel {

struct MessageCosts {
  Seconds alpha, handshake, overhead, lock;
  BytesPerSecond beta, copying;
  SendMode sends = SendMode::synchronous; // of those that say neither
};

struct RankOutcome {
  bool ended = false;
  Seconds time, computing;
  std::size_t sent = 0, unreceived = 0; // sends begun; buffered messages of its that nobody took
  std::vector<std::int64_t> printed;
  std::vector<std::int64_t> variables;
};

struct RunOutcome {
  std::vector<RankOutcome> ranks;
  std::vector<std::int64_t> shared; // in the order of RankProgram::shared
  std::vector<Wait> waits;          // empty: all have ended
};

// Throws InputError with the line: a rank that there is not, a variable without a value, a division by zero,
// an unlock of what is not held.
RunOutcome run_ranks(const RankProgram& program, const MessageCosts& costs);

} // namespace perfmodel
