// A canvas of terminal cells, each of 2 x 4 braille dots and at most one character over them.
#pragma once

#include <string>
#include <vector>

namespace perfmodel::plots {

class Braille {
public:
  Braille(int columns, int rows);
  int dots_across() const { return 2 * columns_; }
  int dots_down() const { return 4 * rows_; }

  // Dots outside the canvas are ignored. `colour` is of the 256, 0 for none; the last one in a cell wins.
  void dot(int x, int y, int colour);
  // `on` of every `on + off` dots are drawn, counted from `start`. Returns where the next stretch of the same
  // line starts.
  int line(double x0, double y0, double x1, double y1, int colour, int on, int off, int start = 0);
  void put(int column, int row, char32_t c, int colour);
  bool taken(int column, int row) const;

  // One row of cells in UTF-8, with colour codes if wanted, without trailing blanks.
  std::string row(int row, bool colour) const;

private:
  struct Cell {
    unsigned char dots = 0;
    char32_t character = 0;
    int colour = 0;
  };
  Cell* cell(int column, int row);

  int columns_, rows_;
  std::vector<Cell> cells_;
};

} // namespace perfmodel::plots
