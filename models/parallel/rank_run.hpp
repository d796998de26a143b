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

// What was done when: every statement of a rank that took time, and every message that was received.
struct RunLog {
  struct Span {
    std::size_t rank = 0;
    Action action{};
    int line = 0;
    Seconds from, to;
  };
  struct Delivery {
    std::size_t sender = 0, receiver = 0;
    std::int64_t value = 0, tag = 0;
    Seconds left, there; // the bytes leave the sender, and are all there
  };
  std::vector<Span> spans;
  std::vector<Delivery> deliveries;
};

struct RunOutcome {
  std::vector<RankOutcome> ranks;
  std::vector<std::int64_t> shared; // in the order of RankProgram::shared
  std::vector<Wait> waits;          // empty: all have ended
  RunLog log;                       // empty where nobody asked for it
};

// Throws InputError with the line: a rank that there is not, a variable without a value, a division by zero,
// an unlock of what is not held.
RunOutcome run_ranks(const RankProgram& program, const MessageCosts& costs, bool logged = false);

} // namespace perfmodel
