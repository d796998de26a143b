// Whether a check of a matrix product tells rounding from wrong elements: products worked out on the host as
// the units round them, then spoilt.
#include "kernels/probes/ladders/product_rounding.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <random>

namespace perfmodel::kernels::product_rounding_test {

using Matrix = std::vector<double>;
using Round = std::function<double(double)>;

double exact(double x) { return x; }
double step_at(double x, int bits) { return x == 0 ? 1 : std::ldexp(1.0, std::ilogb(x) + 1 - bits); }
Round to_nearest(int bits) {
  return [=](double x) { return std::nearbyint(x / step_at(x, bits)) * step_at(x, bits); };
}
Round toward_zero(int bits) {
  return [=](double x) { return std::trunc(x / step_at(x, bits)) * step_at(x, bits); };
}

// How a unit multiplies: operands rounded on the way in, the sum after `at_once` products, each of `parts` of
// the sum and what they have come to in memory like the result.
struct Unit {
  Rounding rounding;
  Round operand = exact, sum = to_nearest(24), result = exact;
  int at_once = 1;
};
const Unit fp32{.rounding = {}};
const Unit tf32{{.operand = 0x1p-11, .tensor = true}, to_nearest(11), toward_zero(24), exact, 4};
const Unit tf32_cut{{.operand = 0x1p-10, .tensor = true}, toward_zero(11), toward_zero(24), exact, 4};
const Unit bf16{{.tensor = true, .result = 0x1p-8}, exact, toward_zero(24), to_nearest(8), 4};
const Unit bf16_in_parts{
    {.tensor = true, .result = 0x1p-8, .parts = 8}, exact, toward_zero(24), to_nearest(8), 4};
const Unit all_units[] = {fp32, tf32, tf32_cut, bf16, bf16_in_parts};

class Product {
public:
  Product(const Unit& unit, int n) : unit_(unit), n_(n), a_(random(1)), b_(random(2)), c_(size()) {
    Matrix a = a_, b = b_;
    std::transform(a.begin(), a.end(), a.begin(), unit.operand);
    std::transform(b.begin(), b.end(), b.begin(), unit.operand);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) at(i, j) = element(&a[std::size_t(i * n)], &b[std::size_t(j)]);
  }

  // The last steps of the sum.
  void leave_out(int row, int column, int steps) {
    for (int k = n_ - steps; k < n_; ++k)
      at(row, column) -= a_[std::size_t(row * n_ + k)] * b_[std::size_t(k * n_ + column)];
  }

  double& at(int row, int column) { return c_[std::size_t(row * n_ + column)]; }

  // One of those that are as large as the elements are in the mean; of operands in (-1, 1), sqrt(n) / 3.
  double& an_element() {
    return *std::find_if(c_.begin(), c_.end(), [&](double c) { return std::abs(c) > std::sqrt(n_) / 3; });
  }

  std::string wrong() const {
    const Matrix signs = random_signs(std::size_t(n_));
    Matrix have, want;
    for (int first = 0; first < n_; first += columns_together) {
      const int last = std::min(n_, first + columns_together);
      const auto sums = [&](const Matrix& m) {
        Matrix of_rows(std::size_t(n_), 0.0);
        for (int i = 0; i < n_; ++i)
          for (int j = first; j < last; ++j)
            of_rows[std::size_t(i)] += m[std::size_t(i * n_ + j)] * signs[std::size_t(j)];
        return of_rows;
      };
      const Matrix of_b = sums(b_), of_c = sums(c_);
      have.insert(have.end(), of_c.begin(), of_c.end());
      for (int i = 0; i < n_; ++i) {
        double sum = 0;
        for (int k = 0; k < n_; ++k) sum += a_[std::size_t(i * n_ + k)] * of_b[std::size_t(k)];
        want.push_back(sum);
      }
    }
    return beyond(error_of(have, want), unit_.rounding.of_element(n_));
  }

private:
  std::size_t size() const { return std::size_t(n_) * std::size_t(n_); }
  // In (-1, 1), as they lie in memory: every format here holds 8 bits.
  Matrix random(unsigned seed) const {
    std::mt19937 generate(seed);
    Matrix values(size());
    for (double& v : values) {
      const double x = std::uniform_real_distribution<>(-1, 1)(generate);
      v = unit_.rounding.result > 0 ? to_nearest(8)(x) : double(float(x));
    }
    return values;
  }
  double element(const double* row, const double* column) const {
    const int parts = unit_.rounding.parts, steps = (n_ + parts - 1) / parts;
    double whole = 0;
    for (int first = 0; first < n_; first += steps) {
      const int last = std::min(n_, first + steps);
      double sum = 0;
      for (int k = first; k < last; k += unit_.at_once) {
        double products = 0;
        for (int i = k; i < std::min(k + unit_.at_once, last); ++i) products += row[i] * column[i * n_];
        sum = unit_.sum(sum + products);
      }
      whole = unit_.result(whole + unit_.result(sum));
    }
    return whole;
  }

  Unit unit_;
  int n_;
  Matrix a_, b_, c_;
};

TEST(ProductRounding, what_a_unit_rounds_is_right) {
  for (const Unit& unit : all_units)
    for (const int n : {1, 2, 67, 160}) EXPECT_EQ(Product(unit, n).wrong(), "") << n;
}

TEST(ProductRounding, one_element_off_by_its_size_is_wrong) {
  for (const Unit& unit : all_units) {
    Product product(unit, 160);
    product.an_element() = 0;
    EXPECT_NE(product.wrong(), "") << unit.rounding.result << ' ' << unit.rounding.operand;
  }
}

// The same where errors of rounding are largest: sums of 32 elements in which one is missing.
TEST(ProductRounding, one_element_still_shows_at_the_largest_size) {
  constexpr std::size_t n = 8192, sums = n * n / columns_together;
  const double missing = 1 / std::sqrt(columns_together); // of a sum's root mean square
  for (const Unit& unit : all_units)
    EXPECT_LT(most_deviations(sums) * unit.rounding.of_element(n), missing / 1.5) << unit.rounding.parts;
}

TEST(ProductRounding, a_missing_tile_or_step_is_wrong) {
  for (const Unit& unit : all_units) {
    Product tile(unit, 128), step(unit, 128);
    for (int i = 48; i < 52; ++i)
      for (int j = 64; j < 68; ++j) tile.at(i, j) = 0;
    EXPECT_NE(tile.wrong(), "") << unit.rounding.result;
    for (int i = 0; i < 16; ++i)
      for (int j = 16; j < 32; ++j) step.leave_out(i, j, 8);
    EXPECT_NE(step.wrong(), "") << unit.rounding.result;
  }
}

TEST(ProductRounding, an_element_never_written_is_wrong) {
  for (const double never : {std::numeric_limits<double>::quiet_NaN(), -1.2e17}) {
    Product product(bf16, 67);
    product.at(66, 66) = never;
    EXPECT_NE(product.wrong(), "");
  }
}

TEST(ProductRounding, a_format_of_fewer_bits_is_wrong) {
  Unit coarse = bf16;
  coarse.result = to_nearest(6);
  EXPECT_NE(Product(coarse, 67).wrong(), "");
  coarse = tf32;
  coarse.operand = to_nearest(9); // two bits fewer: no sum is far off, but all are farther
  EXPECT_NE(Product(coarse, 67).wrong(), "");
  coarse = fp32;
  coarse.operand = to_nearest(11); // tf32
  EXPECT_NE(Product(coarse, 67).wrong(), "");
}

// By hand: errors 0, 3, 0, -4 of sums 5, 5, -5, 5.
TEST(ProductRounding, errors_are_told_in_the_size_of_the_sums) {
  const ProductError error = error_of({5, 8, -5, 1}, {5, 5, -5, 5});
  EXPECT_DOUBLE_EQ(error.mean, 0.5);
  EXPECT_DOUBLE_EQ(error.worst, 0.8);
  EXPECT_EQ(error.sums, 4u);
  EXPECT_EQ(beyond(error, 0.05).substr(0, 41), "off by 0.5 in the mean and 0.8 at worst; ");
}

} // namespace perfmodel::kernels::product_rounding_test
