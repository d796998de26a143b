// Choosing rows of a table, the largest first.
#pragma once

#include "models/core/table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace perfmodel::cli {

using Rows = std::vector<std::size_t>;

inline constexpr std::size_t most_wrong = 20, few = 4;
inline constexpr const char* where_all_are = "--all, or --format csv or json, has every row.";

// These rows, in this order.
Table picked(const Table& table, const Rows& rows);

// A change or an error that is no number is larger than any other.
inline double magnitude(double error) {
  return std::isnan(error) ? std::numeric_limits<double>::infinity() : std::fabs(error);
}

template <class Size> void largest_first(Rows& rows, Size size) {
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
}

inline void add_first(Rows& shown, const Rows& rows, std::size_t most) {
  shown.insert(shown.end(), rows.begin(),
               rows.begin() + static_cast<std::ptrdiff_t>(std::min(rows.size(), most)));
}

// excerpt.hpp says what of each kind.
Table excerpt_of_series(const Table& table);
Table excerpt_of_changes(const Table& table);

} // namespace perfmodel::cli
