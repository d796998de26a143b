// Bands of answers: the model is asked once for each draw of the costs, and the answers from 5 to 95 % of
// them are the band. It says what the costs leave open, not what the model does not know.
#pragma once

#include "estimate.hpp"
#include "rows.hpp"
#include "table.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::detail {

// Absent where no cost leaves anything open.
struct Band {
  double low = absent, median = absent, high = absent;
  // The costs that the answer goes with from draw to draw, and the share of its variance that each explains:
  // "block.launch 62 %".
  std::string goes_with;
};
using RowBands = std::vector<std::vector<Band>>; // for each row of each table

// The number of a row that has a band: the field of that name, or else the first that is predicted.
std::optional<std::size_t> banded_field(std::span<const Field> fields, std::string_view name);

// `ask` gives the same tables with other costs, and adds which it read to the grades. Of the first `count`
// draws one without an answer is left out; with fewer than half of them there is no band.
RowBands bands_of(const std::vector<Rows>& tables, std::string_view name, int count,
                  const std::function<std::vector<Rows>(const Shift&, Grades&)>& ask);

} // namespace perfmodel::detail
