// What stands for names that a picture has no room for: numbers that a note explains, or the note alone.
#pragma once

#include "plots/chart/chart.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace perfmodel::plots {

struct Unnamed {
  std::vector<std::size_t> numbered; // dots with a number
  std::vector<std::size_t> nameless; // dots that even a number has no room beside
  std::vector<std::string> lines;    // named in the note

  // Dots that found no room in the last attempt: for a number, or for nothing. Whether any of them is new.
  bool add(const std::vector<std::size_t>& dots);
  // Dots that are to have neither name nor number.
  void give_up(const std::vector<std::size_t>& dots);
  // The chart with the numbers and the notes.
  Chart in(Chart chart) const;
};

} // namespace perfmodel::plots
