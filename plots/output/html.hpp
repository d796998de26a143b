// One self-contained page: the picture with tooltips that follow the pointer, and the tables behind it. No
// network.
#pragma once

#include "plots/chart/chart.hpp"
#include "plots/layout/figure_size.hpp"
#include "plots/layout/layout.hpp"
#include "theme.hpp"

#include "models/core/result.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::plots {

// The verdicts of all `results` stand above the picture; where they are so many that nobody would see it,
// below it, folded until a reader opens them or prints the page. Their tables, at most 2000 rows of each,
// come last.
std::string to_html(const Chart& chart, const std::vector<Result>& results = {}, Size size = {});
// A picture, and the same drawn again in the dark theme's colours for who reads by a dark screen, and as
// narrow as a phone: its texts are as large there. "" where there is none.
struct PagePicture {
  std::string svg, dark, narrow, narrow_dark;
};
// The width of those for a phone, px.
inline constexpr int phone_width = 420;

// The same around a picture that is drawn already, in its colours, and no larger than it is to be.
std::string to_html(const std::string& title, const PagePicture& picture, const std::vector<Result>& results,
                    const Theme& theme = light_theme(), const std::optional<FigureSize>& size = {});

// A table as <table>, numbers with their units. On a narrow screen each row is a list of its cells, which the
// names of their columns lead; `number` tells the tables of a page apart.
std::string html_table(const Table& table, std::string_view kind, std::size_t number = 0);

} // namespace perfmodel::plots
