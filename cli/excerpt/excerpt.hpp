// What a reader looks for in a long comparison: the rows that are wrong, and a sentence about all of them.
#pragma once

#include "models/core/table.hpp"

namespace perfmodel::cli {

// Up to as many rows a comparison is whole, and any other table: a sweep that is longer is for programs.
inline constexpr std::size_t whole_rows = 24, whole_sweep = 1000;

// Of a series held against a model: the rows out of tolerance, largest error first, and the worst few of the
// others. Of two results: the worse ones, largest change first, and a few of the better and the new ones,
// with the rows that went or came counted by table. A note says how many rows there are, how large their
// errors are, and what is not shown. The ledger loses the counts that are zero in every line. Of any other
// table that is long, the first rows and the last ones.
Table excerpt(const Table& table);

} // namespace perfmodel::cli
