#include "ends.hpp"

#include "cli/excerpt/excerpt.hpp"
#include "cli/excerpt/rows.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace perfmodel::cli {

namespace {

constexpr std::size_t per_column = 3;

Rows rows_from(std::size_t begin, std::size_t end) {
  Rows rows;
  for (std::size_t row = begin; row < end; ++row) rows.push_back(row);
  return rows;
}

bool is_less(double a, double b) { return a < b || (a == b && std::signbit(a) && !std::signbit(b)); }

struct Extremes {
  std::optional<std::size_t> least, greatest, none;
};

Extremes extremes(const Column& column) {
  Extremes found;
  for (std::size_t row = 0; row < column.size(); ++row) {
    const double v = column.number(row);
    if (std::isnan(v)) {
      if (!found.none) found.none = row;
      continue;
    }
    if (!found.least || is_less(v, column.number(*found.least))) found.least = row;
    if (!found.greatest || is_less(column.number(*found.greatest), v)) found.greatest = row;
  }
  return found;
}

} // namespace

void Ends::take(std::size_t table, const Table& rows) {
  if (table >= tables_.size()) tables_.resize(table + 1);
  Kept& kept = tables_[table];
  const std::size_t n = rows.rows(), held = kept.first.rows();
  if (held < whole_sweep || kept.rows == 0)
    append_rows(kept.first, picked(rows, rows_from(0, std::min(n, whole_sweep - held))));
  if (n >= few) {
    kept.last = picked(rows, rows_from(n - few, n));
  } else {
    append_rows(kept.last, rows);
    const std::size_t all = kept.last.rows();
    kept.last = picked(kept.last, rows_from(all - std::min(all, few), all));
  }
  kept.rows += n;

  kept.others.resize(per_column * rows.columns.size());
  for (std::size_t c = 0; c < rows.columns.size(); ++c) {
    Table* others = &kept.others[per_column * c];
    const auto keep = [&](Table& other, std::size_t row) { other = picked(rows, {row}); };
    const Column& column = rows.columns[c];
    if (column.is_text()) {
      if (others->rows() > 0) continue;
      const std::string first = kept.first.columns[c].text(0);
      for (std::size_t row = 0; row < n && others->rows() == 0; ++row)
        if (std::get<std::vector<std::string>>(column.cells)[row] != first) keep(*others, row);
      continue;
    }
    const Extremes of = extremes(column);
    Table &least = others[0], &greatest = others[1], &none = others[2];
    if (of.least && (least.rows() == 0 || is_less(column.number(*of.least), least.columns[c].number(0))))
      keep(least, *of.least);
    if (of.greatest &&
        (greatest.rows() == 0 || is_less(greatest.columns[c].number(0), column.number(*of.greatest))))
      keep(greatest, *of.greatest);
    if (of.none && none.rows() == 0) keep(none, *of.none);
  }
}

Table Ends::close(std::size_t table, const std::vector<bool>& is_column) {
  const Kept& kept = tables_[table];
  Table shown = kept.first;
  if (kept.rows > whole_sweep) {
    shown = picked(kept.first, rows_from(0, most_wrong));
    for (const Table& other : kept.others)
      if (other.rows() > 0) append_rows(shown, other);
    append_rows(shown, kept.last);
    shown.of_rows = kept.rows;
  }
  std::size_t c = 0;
  std::erase_if(shown.columns, [&](const Column&) { return !is_column[c++]; });
  return shown;
}

} // namespace perfmodel::cli
