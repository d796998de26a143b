// A table as people read it, in text and in Markdown: what is the same in every row is told once.
#pragma once

#include "cli/format.hpp"
#include "models/core/table.hpp"

#include <string>
#include <vector>

namespace perfmodel::cli {

struct Folded {
  std::string heading; // the title and the keys that are the same: "compute ceilings (m2090, basis spec)"
  std::string same;    // the other columns that are: "in every row: passes 2, resident 4 blocks"; or ""
  Table table;         // the columns that vary, of the rows that are shown
  std::vector<std::string> advice; // what its column points to, where advice is long: "advice 1: ..."
  std::vector<bool> integers;      // rows of `table` whose rates count integers
};

enum class Fold { keys, constants };

// Whether a column is the same is judged over all rows, also of an excerpt.
Folded folded(const Table& all, Fold fold, Shown shown);

// Of a model's answer, or a comparison, all that is constant; of a list such as the database's, its keys.
Fold fold_of(const Result& result);

} // namespace perfmodel::cli
