#include "excerpt.hpp"

#include "rows.hpp"

#include "models/concurrency/occupancy.hpp"
#include "models/validation/validate.hpp"
#include "models/views/timeline_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace perfmodel::cli {

Table picked(const Table& table, const Rows& rows) {
  Table result{.title = table.title, .notes = table.notes};
  for (const Column& column : table.columns) {
    result.columns.push_back({.name = column.name, .unit = column.unit, .role = column.role});
    std::visit(
        [&](const auto& cells) {
          std::decay_t<decltype(cells)> kept;
          kept.reserve(rows.size());
          for (const std::size_t row : rows) kept.push_back(cells[row]);
          result.columns.back().cells = std::move(kept);
        },
        column.cells);
  }
  return result;
}

namespace {

constexpr std::size_t whole_curve = 48; // rows; one GPU has 32

Table without_zero_counts(Table ledger) {
  std::erase_if(ledger.columns, [&](const Column& column) {
    if (column.name != "at_least") return false;
    for (std::size_t row = 0; row < column.size(); ++row)
      if (column.number(row) != 0) return false;
    return true;
  });
  return ledger;
}

// The two ends of a sweep.
Table excerpt_of_sweep(const Table& table) {
  Rows shown;
  for (std::size_t row = 0; row < most_wrong; ++row) shown.push_back(row);
  for (std::size_t row = table.rows() - few; row < table.rows(); ++row) shown.push_back(row);
  Table result = picked(table, shown);
  result.notes.push_back(fmt::format("{} rows. Shown: the first {} and the last {}; {}",
                                     std::max(table.rows(), table.of_rows), most_wrong, few, where_all_are));
  return result;
}

// Those of the whole SM: its blocks and warps are in the strips above.
Table excerpt_of_slices(const Table& table) {
  Rows shown;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.at("of").text(row) == "SM") shown.push_back(row);
  if (shown.empty() || shown.size() == table.rows()) return table;
  Table result = picked(table, shown);
  result.notes.push_back(fmt::format("{} rows. Shown: those of the SM; {}", table.rows(), where_all_are));
  return result;
}

// Of every size of a block, on several GPUs: the usual ones.
Table excerpt_of_occupancy(const Table& table) {
  Rows shown;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (const double threads = table.at("threads").number(row);
        std::exp2(std::round(std::log2(threads))) == threads)
      shown.push_back(row);
  Table result = picked(table, shown);
  result.notes.push_back(
      fmt::format("{} rows. Shown: blocks of 32, 64, 128, .. threads; {}", table.rows(), where_all_are));
  return result;
}

bool is_of_every_block(const Table& table) {
  const Column* gpu = table.find("gpu");
  if (table.title != OccupancyModel::Resident::title || gpu == nullptr || table.rows() < whole_curve)
    return false;
  constexpr double warp = 32;
  std::set<std::pair<std::string, double>> rows; // nothing else is swept
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double threads = table.at("threads").number(row);
    if (std::fmod(threads, warp) != 0) return false;
    rows.emplace(gpu->text(row), threads);
  }
  return rows.size() == table.rows() && gpu->text(0) != gpu->text(table.rows() - 1);
}

} // namespace

Table excerpt(const Table& table) {
  if (table.of_rows > 0) return excerpt_of_sweep(table);
  if (table.title.starts_with(ledger_title)) return without_zero_counts(table);
  if (table.title == TimelineSlice::title) return excerpt_of_slices(table);
  if (is_of_every_block(table)) return excerpt_of_occupancy(table);
  // Comparisons have a verdict, and so have the kernels under a roofline: the other columns tell them apart.
  const auto has = [&](const char* column) { return table.find(column) != nullptr; };
  const bool series = has("verdict") && has("error") && has("tolerance"),
             changes = has("verdict") && has("change") && has("keys");
  if (!series && !changes) return table.rows() <= whole_sweep ? table : excerpt_of_sweep(table);
  if (table.rows() <= whole_rows) return table;
  return series ? excerpt_of_series(table) : excerpt_of_changes(table);
}

} // namespace perfmodel::cli
