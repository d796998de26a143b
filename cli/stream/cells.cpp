#include "cells.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

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
template <class T> void take(std::string_view& bytes, std::vector<T>& numbers) {
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(T));
}
void take(std::string_view& bytes, std::vector<std::string>& texts) {
  for (std::string& text : texts) {
    std::uint32_t size = 0;
    take(bytes, size);
    text.assign(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
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
        const std::size_t kept = one ? 1 : cells.size();
        if constexpr (std::is_same_v<std::decay_t<decltype(cells[0])>, std::string>)
          for (std::size_t row = 0; row < kept; ++row) add(out, cells[row]);
        else
          out.append(reinterpret_cast<const char*>(cells.data()), kept * sizeof cells[0]);
      },
      column.cells);
  return out;
}

Cells unpacked(std::string_view bytes, const Column& like) {
  Head head{};
  take(bytes, head);
  Cells read{{.name = like.name, .unit = like.unit, .role = like.role}, head.rows};
  const auto fill = [&](auto cells) {
    cells.resize(head.one != 0 ? 1 : head.rows);
    take(bytes, cells);
    read.column.cells = std::move(cells);
  };
  if (head.kind == 0)
    fill(std::vector<double>{});
  else if (head.kind == 1)
    fill(std::vector<std::int64_t>{});
  else
    fill(std::vector<std::string>{});
  return read;
}

} // namespace perfmodel::cli
