// A chart as SVG: presentation attributes only (no style sheet that would leak into a page), no identifiers,
// no fonts to load, the same bytes from every run on every machine. Every mark carries a <title>.
#pragma once

#include "plots/layout/figure_size.hpp"
#include "plots/layout/layout.hpp"
#include "theme.hpp"

#include <optional>
#include <string>

namespace perfmodel::plots {

// As large as `size` says, else a px of the layout is one of the picture.
std::string to_svg(const Layout& layout, const Theme& theme = light_theme(),
                   const std::optional<FigureSize>& size = {});
std::string to_svg(const Chart& chart, Size size = {});

// Pixels with at most two decimals: "12", "12.5", "-0.25".
std::string px(double value);

} // namespace perfmodel::plots
