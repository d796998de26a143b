#include "asked_rows.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace perfmodel::plots {

namespace {
// Values of a key, to be found again in another column: numbers of different types are equal to 1 in 1e9.
class Values {
public:
  explicit Values(const Column& column) : is_text_(column.is_text()) {
    for (std::size_t row = 0; row < column.size(); ++row)
      if (is_text_)
        words_.insert(column.text(row));
      else
        numbers_.insert(column.number(row));
  }
  bool hold(const Column& column, std::size_t row) const {
    if (is_text_ || column.is_text()) return words_.count(column.text(row)) > 0;
    const double value = column.number(row);
    const auto at = numbers_.lower_bound(value - 1e-9 * std::fabs(value));
    return at != numbers_.end() && *at <= value + 1e-9 * std::fabs(value);
  }

private:
  bool is_text_;
  std::set<std::string> words_;
  std::set<double> numbers_;
};
} // namespace

AskedRows asked_rows(const Table& measured, const Table& predicted, const std::string& x) {
  AskedRows asked;
  std::vector<char> keep(measured.rows(), 1);
  for (const Column& key : measured.columns) {
    const Column* predicted_key = predicted.find(key.name);
    if (key.role != Role::key || key.name == x || predicted_key == nullptr ||
        predicted_key->role != Role::key)
      continue;
    const Values values(*predicted_key);
    bool differs = false;
    for (std::size_t row = 0; row < measured.rows(); ++row)
      if (!values.hold(key, row)) keep[row] = 0, differs = true;
    if (differs) asked.differing.push_back(key.name);
  }
  asked.table = rows_where(measured, [&](std::size_t row) { return keep[row] != 0; });
  asked.elsewhere = measured.rows() - asked.table.rows();
  for (Column& column : asked.table.columns)
    if (const Column* predicted_key = predicted.find(column.name);
        predicted_key && predicted_key->unit.dimension == column.unit.dimension)
      column.unit = predicted_key->unit;
  return asked;
}

} // namespace perfmodel::plots
