// Tables while a sweep fills them: keys of the sweep, then the fields of the model's rows.
#pragma once

#include "bands.hpp"
#include "fields.hpp"
#include "grading.hpp"
#include "rows.hpp"

#include <span>
#include <vector>

namespace perfmodel::detail {

// Where in a sweep a row stands: the values of the facts and inputs that vary, in the request's order.
struct Place {
  const Gpu& gpu;
  const Request& request;
  std::span<const Value> facts, inputs;
};

// One table being filled: the gpu, swept facts and given inputs as keys, then the fields of the row.
class Filling {
public:
  // `points`: the rows to expect, one for each point of the sweep.
  Filling(const RowType& type, const Model& model, const Request& request, std::size_t points);

  // `band`: where the request asks for bands, of this row or of none.
  void add_row(const Place& place, std::span<const Field> fields, const void* row, Grade grade,
               const Band& band);

  // The rows of another of the same table.
  void add_rows_of(const Filling& other) { append_rows(table_, other.table_); }

  // What has been added since the last clear(). Which columns take() may leave out: keys of the row's own and
  // its optional members, what was measured, and the GPU's name.
  const Table& rows() const { return table_; }
  void clear();
  bool can_be_left_out(std::size_t column) const;

  // Keys that no row has, such as a matrix's width where none was asked about, are left out; so are optional
  // members that no row has, what was measured where nobody did, and the GPU where there is none.
  Table take();

private:
  void add_keys(const Place& place);
  void add(Column column) { table_.columns.push_back(std::move(column)); }

  const Model& model_;
  Table table_;
  std::vector<std::size_t> inputs_;   // of the request: those that are columns
  std::size_t first_ = 0, bands_ = 0; // columns: the row's own, and those of its band
  std::vector<bool> is_optional_;     // of the row's own columns
  bool has_bands_ = false;
};

// Whether any row has a number or a word there.
bool has_value(const Column& column);

// Adds the rows of each table; `grades` of none: known.
void add_rows(std::vector<Filling>& fillings, const Place& place, const std::vector<Rows>& tables,
              const RowGrades& grades, const RowBands& bands = {});

} // namespace perfmodel::detail
