// Bars and cells as SVG: filled, striped where series are told apart, hatched where the grade is not known.
#pragma once

#include "plots/layout/layout.hpp"
#include "theme.hpp"

#include <string>

namespace perfmodel::plots {

// `strength` above 0: a shade of the colour, as a density has.
std::string filled_rect(const Theme& theme, const Rect& r, int colour, Fill fill, Grade grade = Grade::known,
                        double strength = 0);

} // namespace perfmodel::plots
