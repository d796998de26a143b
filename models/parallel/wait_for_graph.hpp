// Who waits for whom when nobody can go on: a circle in it is a deadlock (R. C. Holt, ACM Computing Surveys
// 4(3), 1972).
#pragma once

#include "rank_program.hpp"

#include <vector>

namespace perfmodel {

// Whom a rank that cannot go on waits for, and in which statement.
struct Wait {
  std::size_t rank = 0;
  int line = 0;
  Action action = Action::barrier;
  std::vector<std::size_t> for_ranks;
};

// The ranks of one cycle of waits, the lowest first: each waits for the next, and the last for the first.
// Empty: there is none, although a rank may wait for one that has ended.
std::vector<std::size_t> cycle_of(const std::vector<Wait>& waits);

} // namespace perfmodel
