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

// The verdicts of all `results` stand above the picture, their tables, at most 2000 rows of each, below it.
std::string to_html(const Chart& chart, const std::vector<Result>& results = {}, Size size = {});
// The same around a picture that is drawn already, in its colours, and no larger than it is to be. With
// another one in the dark theme's colours, who reads by a dark screen sees that one, on a dark page.
std::string to_html(const std::string& title, const std::string& svg, const std::vector<Result>& results,
                    const Theme& theme = light_theme(), const std::optional<FigureSize>& size = {},
                    const std::string& dark_svg = {});

// A table as <table>, numbers with their units. On a narrow screen each row is a list of its cells, which the
// names of their columns lead; `number` tells the tables of a page apart.
std::string html_table(const Table& table, std::string_view kind, std::size_t number = 0);

} // namespace perfmodel::plots
