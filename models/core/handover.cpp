#include "handover.hpp"

#include "error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel::detail {

namespace {

bool has_infinite(const Column& column) {
  const auto* numbers = std::get_if<std::vector<double>>(&column.cells);
  return numbers != nullptr &&
         std::any_of(numbers->begin(), numbers->end(), [](double v) { return std::isinf(v); });
}

[[noreturn]] void refuse_infinity(const std::string& column) {
  throw InputError(fmt::format("the answer's {} is larger than any number: give smaller inputs", column));
}

} // namespace

std::size_t Handover::room(std::size_t rows) const {
  return sink_ == nullptr ? rows : std::min(rows, sink_->block_rows);
}

void Handover::offer(std::vector<Filling>& tables, std::size_t first) {
  if (sink_ == nullptr) return;
  for (std::size_t t = 0; t < tables.size(); ++t)
    if (tables[t].rows().rows() >= sink_->block_rows) hand_over(tables[t], first + t);
}

void Handover::hand_over(Filling& filling, std::size_t table) {
  const Table& block = filling.rows();
  if (table >= handed_.size()) handed_.resize(table + 1);
  Handed& handed = handed_[table];
  handed.has_value.resize(block.columns.size());
  handed.has_infinite.resize(block.columns.size());
  for (std::size_t c = 0; c < block.columns.size(); ++c) {
    if (!handed.has_value[c]) handed.has_value[c] = has_value(block.columns[c]);
    if (!handed.has_infinite[c]) handed.has_infinite[c] = has_infinite(block.columns[c]);
  }
  handed.rows += block.rows();
  grades_.add(block);
  sink_->take(table, block);
  filling.clear();
}

void Handover::keep(std::vector<Filling>& tables, std::size_t first, Result& result) {
  for (std::size_t t = 0; t < tables.size(); ++t) {
    Filling& filling = tables[t];
    const bool handed = first + t < handed_.size() && handed_[first + t].rows > 0;
    if (!handed) {
      grades_.add(filling.rows());
      Table table = filling.take();
      if (table.rows() == 0) continue;
      result.tables.push_back(std::move(table));
      infinite_.emplace_back();
      continue;
    }
    if (filling.rows().rows() > 0) hand_over(filling, first + t);
    const Handed& of = handed_[first + t];
    const std::vector<Column>& columns = filling.rows().columns;
    std::vector<bool> kept(columns.size());
    for (std::size_t c = 0; c < kept.size(); ++c) kept[c] = of.has_value[c] || !filling.can_be_left_out(c);
    std::string infinite;
    for (std::size_t c = 0; c < kept.size() && infinite.empty(); ++c)
      if (of.has_infinite[c]) infinite = columns[c].name;
    result.tables.push_back(sink_->close(first + t, kept));
    infinite_.push_back(std::move(infinite));
  }
}

void Handover::refuse_infinite(const Result& result) const {
  for (std::size_t t = 0; t < result.tables.size(); ++t) {
    const Table& table = result.tables[t];
    if (table.of_rows > 0) {
      if (!infinite_[t].empty()) refuse_infinity(infinite_[t]);
      continue;
    }
    for (const Column& column : table.columns)
      if (has_infinite(column)) refuse_infinity(column.name);
  }
}

} // namespace perfmodel::detail
