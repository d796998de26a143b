#include "least_squares.hpp"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {
Eigen::Index place_of(std::size_t i) { return static_cast<Eigen::Index>(i); }
} // namespace

std::vector<Fitted> least_squares(std::size_t rows, std::size_t columns,
                                  const std::function<double(std::size_t row, std::size_t column)>& term,
                                  const std::function<double(std::size_t row)>& right) {
  if (columns == 0 || rows < columns) return {};
  // Each column in units of its largest entry. One type of matrix alone: each more takes seconds to compile.
  using Matrix = Eigen::MatrixXd;
  Matrix x(place_of(rows), place_of(columns));
  std::vector<double> scale(columns, 0);
  for (std::size_t c = 0; c < columns; ++c) {
    for (std::size_t r = 0; r < rows; ++r) scale[c] = std::max(scale[c], std::fabs(term(r, c)));
    if (scale[c] == 0) return {};
    for (std::size_t r = 0; r < rows; ++r) x(place_of(r), place_of(c)) = term(r, c) / scale[c];
  }
  const Eigen::ColPivHouseholderQR<Matrix> qr(x);
  if (qr.rank() < x.cols()) return {};
  // What each of the right sides adds to each value.
  const Matrix inverse = qr.solve(Matrix::Identity(x.rows(), x.rows()));
  std::vector<Fitted> fitted(columns);
  double squares = 0;
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t r = 0; r < rows; ++r) fitted[c].value += inverse(place_of(c), place_of(r)) * right(r);
  for (std::size_t r = 0; r < rows; ++r) {
    double predicted = 0;
    for (std::size_t c = 0; c < columns; ++c) predicted += x(place_of(r), place_of(c)) * fitted[c].value;
    squares += std::pow(right(r) - predicted, 2);
  }
  const double variance = rows > columns ? squares / static_cast<double>(rows - columns) : 0;
  for (std::size_t c = 0; c < columns; ++c) {
    double share = 0;
    for (std::size_t r = 0; r < rows; ++r) share += std::pow(inverse(place_of(c), place_of(r)), 2);
    fitted[c].value /= scale[c];
    fitted[c].deviation = std::sqrt(variance * share) / scale[c];
  }
  return fitted;
}

} // namespace perfmodel
