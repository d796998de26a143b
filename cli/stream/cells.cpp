#include "cells.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>

namespace perfmodel::cli {

namespace {

struct Head {
  std::uint32_t rows;
  std::uint8_t kind; // which of the variant's
  std::uint8_t one;  // value for all rows
};

template <class T> void add(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
void add(std::string& out, const std::string& text) {
  add(out, static_cast<std::uint32_t>(text.size()));
  out += text;
}

template <class T> void take(std::string_view& bytes, T& value) {
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
}
void take(std::string_view& bytes, std::string& text) {
  std::uint32_t size = 0;
  take(bytes, size);
  text.assign(bytes.substr(0, size));
  bytes.remove_prefix(size);
}

// To the bit: NaN is NaN, and 0 is not -0.
template <class T> bool same(const T& a, const T& b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}
bool same(const std::string& a, const std::string& b) { return a == b; }

} // namespace

std::string packed(const Column& column) {
  std::string out;
  std::visit(
      [&](const auto& cells) {
        const bool one = !cells.empty() && std::all_of(cells.begin() + 1, cells.end(),
                                                       [&](const auto& v) { return same(v, cells[0]); });
        add(out, Head{static_cast<std::uint32_t>(cells.size()),
                      static_cast<std::uint8_t>(column.cells.index()), one});
        for (std::size_t row = 0; row < (one ? 1 : cells.size()); ++row) add(out, cells[row]);
      },
      column.cells);
  return out;
}

Column unpacked(std::string_view bytes, const Column& like) {
  Column column{.name = like.name, .unit = like.unit, .role = like.role};
  Head head{};
  take(bytes, head);
  const auto fill = [&](auto cells) {
    cells.resize(head.rows);
    if (head.one != 0) {
      take(bytes, cells[0]);
      std::fill(cells.begin() + 1, cells.end(), cells[0]);
    } else {
      for (auto& cell : cells) take(bytes, cell);
    }
    column.cells = std::move(cells);
  };
  if (head.kind == 0)
    fill(std::vector<double>{});
  else if (head.kind == 1)
    fill(std::vector<std::int64_t>{});
  else
    fill(std::vector<std::string>{});
  return column;
}

} // namespace perfmodel::cli
