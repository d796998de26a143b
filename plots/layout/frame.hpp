// Everything around the plot area: title, legend, axis labels, tick texts, notes, and how much room that
// leaves.
#pragma once

#include "layout.hpp"

namespace perfmodel::plots {

inline constexpr double label_size = 13, tick_size = 13, note_size = 12, title_size = 20, axis_size = 14;
inline constexpr double small_width = 600,
                        small_title_size = 15; // a picture narrower than this, and its title
inline constexpr double gutter_gap = 14;       // from a line's end to its label in the right margin
inline constexpr double sample_width = 32;     // of a line's sample before that label, with its gap

// Fills size, plot, ticks, samples and frame.
Layout frame(const Chart& chart, Size size);

} // namespace perfmodel::plots
