// Of a run in which ranks wait for ever: who waits for whom.
#pragma once

#include "drawing.hpp"

#include "models/parallel/rank_run.hpp"

#include <string>

namespace perfmodel {

// Where the row of a rank is, and how high its cells are.
struct RankRow {
  double pitch = 1, height = 1;
  double top(std::size_t rank) const { return pitch * static_cast<double>(rank); }
  double middle(std::size_t rank) const { return top(rank) + height / 2; }
};

// To a drawing that is filled up to `end`, the time of the last thing that happens: past it, without a scale,
// what each rank waits in, and an arrow to each rank that it waits for. Sets the width.
void add_waits(Drawing& drawing, const RunOutcome& run, Seconds end, const RankRow& row);

// "rank 0 for rank 1, rank 1 for rank 0", of many ranks the first few.
std::string waits_in_words(const std::vector<Wait>& waits);

} // namespace perfmodel
