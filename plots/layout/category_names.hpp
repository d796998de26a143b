// The names below a category axis: which are shown, in lines or aslant, and how high they are.
#pragma once

#include "layout.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace perfmodel::plots {

inline constexpr double tick_gap = 8; // px between the texts of two ticks

// Every how many categories has its name: in lines below their slots, or aslant.
std::size_t shown_category(const ChartAxis& axis, double width);
std::size_t shown_aslant(const ChartAxis& axis, double width);

// The name of a category in lines that fit its slot; what is no category as it is.
std::vector<std::string> tick_lines(const ChartAxis& axis, const std::string& text, double width);

// Whether the names are to stand aslant: in a narrow picture, where slots would cut
// them or some would go without.
bool stand_aslant(const ChartAxis& axis, int picture, double width);
// A name aslant, or upright where aslant some would go without: its end stands below the tick.
Text aslant(const PlacedTick& tick, double bottom, const ChartAxis& axis, double width);

// What names take below the plot beyond one line.
double names_height(const ChartAxis& axis, double width, bool are_aslant);

} // namespace perfmodel::plots
