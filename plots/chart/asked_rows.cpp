#include "asked_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace perfmodel::plots {

namespace {
// Values of a key, to be found again in another column: numbers of different types are equal to 1 in 1e9.
class Values {
public:
  void add(const Column& column, std::size_t row) {
    is_text_ = column.is_text();
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
  bool is_text_ = false;
  std::set<std::string> words_;
  std::set<double> numbers_;
};

// Those of a key, in all and at each x: "blocks" may be another one at each number of threads.
class ValuesAlong {
public:
  ValuesAlong(const Column& key, const Column* x) {
    for (std::size_t row = 0; row < key.size(); ++row) {
      all_.add(key, row);
      if (x == nullptr) continue;
      (x->is_text() ? at_word_[x->text(row)] : at_number_[x->number(row)]).add(key, row);
    }
  }
  // Of a row between two of the x any value will do.
  bool hold(const Column& key, const Column* x, std::size_t row) const {
    const Values* here = x == nullptr ? nullptr : values_at(*x, row);
    return (here == nullptr ? all_ : *here).hold(key, row);
  }

private:
  Values all_;
  std::map<std::string, Values> at_word_;
  std::map<double, Values> at_number_;

  const Values* values_at(const Column& x, std::size_t row) const {
    if (x.is_text()) {
      const auto at = at_word_.find(x.text(row));
      return at == at_word_.end() ? nullptr : &at->second;
    }
    const double value = x.number(row), slack = 1e-9 * std::fabs(value);
    const auto at = at_number_.lower_bound(value - slack);
    return at != at_number_.end() && at->first <= value + slack ? &at->second : nullptr;
  }
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
    const ValuesAlong values(*predicted_key, predicted.find(x));
    bool differs = false;
    for (std::size_t row = 0; row < measured.rows(); ++row)
      if (!values.hold(key, measured.find(x), row)) keep[row] = 0, differs = true;
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
