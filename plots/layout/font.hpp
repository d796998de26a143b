// How wide text is, from a table of DejaVu Sans's widths and not from the machine's fonts, so that every
// machine lays out the same picture. Verdana, Arial and Helvetica, the fallbacks the SVG names, are no wider.
#pragma once

#include <string>
#include <string_view>

namespace perfmodel::plots {

inline constexpr std::string_view font_family = "DejaVu Sans, Verdana, Arial, Helvetica, sans-serif";

// In px at a font size in px.
double text_width(std::string_view text, double size, bool bold = false);

// Cut to at most `width` px, with an ellipsis at the end.
std::string cut_to_width(std::string_view text, double width, double size, bool bold = false);

} // namespace perfmodel::plots
