// A chart as text: lines in braille dots, points as letters, axes with ticks, a legend below.
#pragma once

#include "plots/chart/chart.hpp"

#include <string>

namespace perfmodel::plots {

enum class Charset { utf8, ascii };

// No line is wider than `columns` (40 to 400; otherwise taken to the nearer of these).
std::string to_terminal(const Chart& chart, int columns = 80, bool colour = false,
                        Charset charset = Charset::utf8);

} // namespace perfmodel::plots
