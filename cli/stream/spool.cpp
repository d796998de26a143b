#include "spool.hpp"

namespace perfmodel::cli {

void Spool::take(std::size_t table, const Table& rows) {
  if (table >= tables_.size()) tables_.resize(table + 1);
  Spooled& spooled = tables_[table];
  if (spooled.rows == 0) {
    spooled.head = {.title = rows.title, .notes = rows.notes};
    for (const Column& c : rows.columns)
      spooled.head.columns.push_back({.name = c.name, .unit = c.unit, .role = c.role});
  }
  for (const Column& column : rows.columns) {
    const std::string bytes = packed(column);
    spooled.pieces.push_back({spill_.add(bytes), bytes.size()});
  }
  spooled.rows += rows.rows();
}

Table Spool::close(std::size_t table, const std::vector<bool>& kept) {
  Spooled& spooled = tables_[table];
  closed_.push_back(table);
  Table head{.title = spooled.head.title, .notes = spooled.head.notes, .of_rows = spooled.rows};
  for (std::size_t c = 0; c < kept.size(); ++c) {
    if (!kept[c]) continue;
    spooled.columns.push_back(c);
    head.columns.push_back(spooled.head.columns[c]);
  }
  return head;
}

void Spool::keep_only(std::size_t closed) {
  const std::vector<std::size_t> all = std::move(closed_);
  closed_.clear();
  if (closed < all.size()) closed_.push_back(all[closed]);
}

std::size_t Spool::blocks(std::size_t closed) const {
  const Spooled& spooled = tables_[closed_[closed]];
  return spooled.pieces.size() / spooled.head.columns.size();
}

Cells Spool::cells(std::size_t closed, std::size_t column, std::size_t block) const {
  const Spooled& spooled = tables_[closed_[closed]];
  const std::size_t c = spooled.columns[column];
  const Piece& piece = spooled.pieces[block * spooled.head.columns.size() + c];
  return unpacked(spill_.read(piece.at, piece.size), spooled.head.columns[c]);
}

} // namespace perfmodel::cli
