#include "braille.hpp"

#include "plots/layout/utf8.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

Braille::Braille(int columns, int rows)
    : columns_(columns), rows_(rows),
      cells_(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {}

Braille::Cell* Braille::cell(int column, int row) {
  if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return nullptr;
  return &cells_[static_cast<std::size_t>(row * columns_ + column)];
}

bool Braille::taken(int column, int row) const {
  if (column < 0 || row < 0 || column >= columns_ || row >= rows_) return true;
  return cells_[static_cast<std::size_t>(row * columns_ + column)].character != 0;
}

void Braille::dot(int x, int y, int colour) {
  if (x < 0 || y < 0) return;
  Cell* c = cell(x / 2, y / 4);
  if (!c) return;
  // Unicode numbers the dots down the left column, then down the right, and the fourth row last.
  constexpr unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  c->dots = static_cast<unsigned char>(c->dots | bits[y % 4][x % 2]);
  c->colour = colour;
}

int Braille::line(double x0, double y0, double x1, double y1, int colour, int on, int off, int start) {
  const int steps =
      std::clamp(static_cast<int>(std::ceil(std::max(std::fabs(x1 - x0), std::fabs(y1 - y0)))), 1, 10000);
  for (int i = 0; i <= steps; ++i) {
    if (off > 0 && (start + i) % (on + off) >= on) continue;
    const double t = static_cast<double>(i) / steps;
    dot(static_cast<int>(std::floor(x0 + t * (x1 - x0))), static_cast<int>(std::floor(y0 + t * (y1 - y0))),
        colour);
  }
  return (start + steps) % (on + off);
}

void Braille::put(int column, int row, char32_t c, int colour) {
  if (Cell* at = cell(column, row)) at->character = c, at->colour = colour;
}

std::string Braille::row(int row, bool colour) const {
  std::string out, blanks;
  int current = 0;
  const auto switch_to = [&](int wanted) {
    if (!colour || wanted == current) return;
    out += wanted == 0 ? "\033[0m" : "\033[38;5;" + std::to_string(wanted) + "m";
    current = wanted;
  };
  for (int column = 0; column < columns_; ++column) {
    const Cell& c = cells_[static_cast<std::size_t>(row * columns_ + column)];
    if (c.character == 0 && c.dots == 0) {
      blanks += ' ';
      continue;
    }
    out += blanks;
    blanks.clear();
    switch_to(c.colour);
    out += encode(std::u32string(1, c.character ? c.character : U'\u2800' + c.dots));
  }
  switch_to(0);
  return out;
}

} // namespace perfmodel::plots
