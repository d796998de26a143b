// Linear least squares, for costs that are found from many measurements of sums of them.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace perfmodel {

// In the units of right side over term.
struct Fitted {
  double value = 0;
  double deviation =
      0; // standard error, from the scatter of the measurements about the fit; 0 where none is left
};

// The values x for which the sum over the rows of (right - sum over c of term(row, c) x_c)^2 is least; terms
// may differ by orders of magnitude. Empty where the rows do not determine them all.
std::vector<Fitted> least_squares(std::size_t rows, std::size_t columns,
                                  const std::function<double(std::size_t row, std::size_t column)>& term,
                                  const std::function<double(std::size_t row)>& right);

} // namespace perfmodel
