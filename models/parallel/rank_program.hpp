// A program for several processes (ranks) that send messages, wait at barriers and take locks: a small
// language, one statement a line, # begins a comment.
//   ranks 4                    how many (else one more than the highest that is named)
//   shared sum = 0             a variable that all ranks see; others are a rank's own
//   rank 0 | rank 0,2 | rank 1..3 | rank all        who runs the lines below; may come again
//   x = EXPRESSION             integers; C's operators; `rank` and `ranks` are known (expression.hpp)
//   print EXPRESSION
//   compute 10us
//   send EXPRESSION to RANK [tag N] [size BYTES]    as the caller says: synchronous or buffered
//   ssend, bsend               the same, always synchronous (waits for the receive), always buffered
//   receive x from RANK [tag N]
//   barrier                    of all ranks
//   lock L, unlock L
// Messages of one sender, receiver and tag are received in the order in which they were sent (as in MPI).
#pragma once

#include "models/core/expression/program.hpp"
#include "models/core/units.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

enum class Action : std::uint8_t { assign, print, compute, send, receive, barrier, lock, unlock };
enum class SendMode : std::uint8_t { as_asked, synchronous, buffered };

struct Statement {
  Action action = Action::barrier;
  int line = 0;               // of the text, from 1
  std::vector<Program> value; // one: what is assigned, printed or sent
  std::vector<Program> peer;  // one: the rank that it is sent to or received from
  std::size_t variable = 0;   // assign, receive: into which; lock, unlock: of which lock
  std::int64_t tag = 0;
  Bytes size{4};
  Seconds time; // compute
  SendMode mode = SendMode::as_asked;
};

struct RankProgram {
  static constexpr std::size_t most_ranks = 1024;
  static constexpr std::string_view shipped_in = "programs";

  std::size_t ranks = 0;
  std::vector<std::string> variables;         // the first two are rank and ranks
  std::map<std::size_t, std::int64_t> shared; // variable -> its first value
  std::vector<std::string> locks;
  std::vector<std::vector<Statement>> code; // of each rank

  // Throws InputError with the line: "line 3: 'form' where 'from' is expected".
  static RankProgram from_text(std::string_view text);
  const std::string& text() const { return text_; }

private:
  std::string text_;
};

} // namespace perfmodel
