#include "roofline_tables.hpp"

#include "grade.hpp"

#include "models/core/error.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
// A cell by the name of its column, absent when the table has none.
struct Row {
  const Table& table;
  std::size_t index;
  std::string text(std::string_view column) const {
    const Column* c = table.find(column);
    return c ? c->text(index) : "";
  }
  double number(std::string_view column) const {
    const Column* c = table.find(column);
    return c ? c->number(index) : absent;
  }
};

// A ceiling stands in the table once for each precision asked for; it is drawn once.
template <class Rows, class Row> void add_once(Rows& rows, const Row& row, double Row::*value) {
  const bool known = std::any_of(rows.begin(), rows.end(), [&](const Row& r) {
    return r.gpu == row.gpu && r.ceiling == row.ceiling && r.*value == row.*value;
  });
  if (!known) rows.push_back(row);
}

PointRow point_of(const Row& row) {
  return {.gpu = row.text("gpu"),
          .name = row.text("name"),
          .path = row.text("path"),
          .precision = row.text("precision"),
          .level = row.text("level"),
          .verdict = row.text("verdict"),
          .label = "",
          .intensity = row.number("intensity"),
          .attainable = absent,
          .measured = row.number("performance"),
          .low = row.number("low"),
          .high = row.number("high"),
          .predicted = row.number("predicted")};
}
} // namespace

bool drawable(double value) { return std::isfinite(value) && value > 0; }

RooflineTables read_roofline(const Result& predicted) {
  RooflineTables out;
  for (const Table& table : predicted.tables) {
    const std::vector<Grade> grades = grades_of(table);
    for (std::size_t i = 0; i < table.rows(); ++i) {
      const Row row{table, i};
      if (table.title == "compute ceilings" && drawable(row.number("rate"))) {
        if (out.level.empty()) out.level = row.text("level");
        add_once(out.compute,
                 ComputeRow{row.text("gpu"), row.text("ceiling"), row.text("precision"), row.text("basis"),
                            row.number("rate"), grades[i]},
                 &ComputeRow::rate);
      } else if (table.title == "bandwidth ceilings" && drawable(row.number("bandwidth"))) {
        add_once(out.bandwidth,
                 BandwidthRow{row.text("gpu"), row.text("ceiling"), row.text("level"), row.text("basis"),
                              row.number("bandwidth"), grades[i]},
                 &BandwidthRow::bandwidth);
      } else if (table.title == "kernels") {
        if (i == 0) out.kernels.reserve(out.kernels.size() + table.rows()); // a million of them are 300 MB
        out.kernels.push_back(point_of(row));
        out.kernels.back().attainable = row.number("performance");
        out.kernels.back().measured = row.number("achieved");
        out.kernels.back().grade = grades[i];
      }
    }
  }
  if (out.compute.empty())
    throw InputError("a roofline needs at least one compute ceiling, and this result has none");
  if (out.bandwidth.empty())
    throw InputError("a roofline needs at least one bandwidth ceiling, and this result has none");
  return out;
}

std::vector<PointRow> read_points(const Result& measured) {
  for (const Table& table : measured.tables) {
    if (!table.find("intensity") || !table.find("performance")) continue;
    std::vector<PointRow> rows;
    for (std::size_t i = 0; i < table.rows(); ++i) rows.push_back(point_of(Row{table, i}));
    return rows;
  }
  return {};
}

} // namespace perfmodel::plots
