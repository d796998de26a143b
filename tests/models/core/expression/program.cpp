#include "models/core/expression/program.hpp"

#include "tests/models/core/expression/evaluate.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <random>

namespace perfmodel::program_test {

constexpr std::array<std::string_view, 3> names{"x", "y", "z"};

struct Lanes {
  std::array<std::vector<std::int64_t>, 3> values;
  std::size_t size() const { return values[0].size(); }
  Bindings lane(std::size_t l) const {
    return {{{"x", values[0][l]}, {"y", values[1][l]}, {"z", values[2][l]}, {"n", 5}}};
  }
};

struct Answer {
  std::vector<std::int64_t> values;
  std::optional<Fault> fault;
};

Answer run(const Expression& e, const Lanes& lanes, const std::int64_t* mask = nullptr) {
  Program program(e, names, Bindings::from_text("n=5"));
  const std::array<const std::int64_t*, 3> variables{lanes.values[0].data(), lanes.values[1].data(),
                                                     lanes.values[2].data()};
  Answer a{.values = std::vector<std::int64_t>(lanes.size()), .fault = {}};
  a.fault = program.evaluate(variables, mask, a.values);
  return a;
}
Lanes counting(std::size_t n) {
  Lanes lanes;
  for (auto& v : lanes.values) v.resize(n), std::iota(v.begin(), v.end(), 0);
  return lanes;
}
std::string refusal(std::string_view text, std::string_view let = "") {
  return error_of([&] { Program(Expression::from_text(text), names, Bindings::from_text(let)); });
}

TEST(Program, gives_every_lane_its_own_value) {
  EXPECT_EQ(run(Expression::from_text("x * 2 + n"), counting(4)).values,
            (std::vector<std::int64_t>{5, 7, 9, 11}));
  EXPECT_EQ(run(Expression::from_text("3 + 4"), counting(2)).values, (std::vector<std::int64_t>{7, 7}));
  EXPECT_EQ(run(Expression::from_text("y"), counting(2)).values, (std::vector<std::int64_t>{0, 1}));
}

TEST(Program, looks_only_where_c_would) {
  for (const char* text :
       {"x != 0 && 12 / x > 2", "x == 0 || 12 % x", "x ? 12 / x : -1", "!x ? 5 : 12 % x", "0 && 1 / 0",
        "1 || 1 / 0", "1 ? 2 : 1 / 0", "x == 0 || (x > 2 ? 8 / (x - 2) : 1 << x)"})
    EXPECT_FALSE(run(Expression::from_text(text), counting(40)).fault) << text;
}

TEST(Program, names_the_first_lane_that_has_no_value_and_the_operator) {
  const auto fault = [](std::string_view text) {
    return run(Expression::from_text(text), counting(70)).fault;
  };
  const auto f = fault("4 + 12 / (x - 3)");
  ASSERT_TRUE(f);
  EXPECT_EQ(f->column, 8u);
  EXPECT_EQ(f->lane, 3u);
  EXPECT_EQ(f->what, "division by zero");
  EXPECT_EQ(fault("x % 0")->lane, 0u);
  EXPECT_EQ(fault("1 / 0")->column, 3u);
  EXPECT_EQ(fault("1 << x")->lane, 64u);
  EXPECT_EQ(fault("1 >> x - 1")->lane, 0u);
  EXPECT_EQ(fault("1 << 64")->what, "shift by less than 0 or more than 63 bits");
  EXPECT_FALSE(fault("1 << 63"));
}

TEST(Program, lanes_outside_the_mask_have_no_faults) {
  Lanes lanes = counting(4);
  const std::array<std::int64_t, 4> mask{0, 1, 1, 1};
  const Answer a = run(Expression::from_text("6 / x"), lanes, mask.data());
  EXPECT_FALSE(a.fault);
  EXPECT_EQ(a.values[3], 2);
  EXPECT_FALSE(run(Expression::from_text("y > 5 || 6 / x > 1"), lanes, mask.data()).fault);
  EXPECT_EQ(run(Expression::from_text("y > 5 || 6 / (x - 2) > 1"), lanes, mask.data()).fault->lane, 2u);
}

TEST(Program, divides_negative_numbers_by_powers_of_two_towards_zero) {
  Lanes lanes = counting(9);
  lanes.values[0] = {-9, -8, -7, -1, 0, 7, 8, INT64_MIN, INT64_MAX};
  for (int k = 0; k < 63; ++k) {
    const std::int64_t d = std::int64_t{1} << k;
    const auto quotients = run(Expression::from_text("x / " + std::to_string(d)), lanes).values;
    const auto remainders = run(Expression::from_text("x % " + std::to_string(d)), lanes).values;
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      EXPECT_EQ(quotients[l], lanes.values[0][l] / d) << lanes.values[0][l] << " / " << d;
      EXPECT_EQ(remainders[l], lanes.values[0][l] % d) << lanes.values[0][l] << " % " << d;
    }
  }
}

TEST(Program, the_smallest_number_over_minus_one_wraps) {
  Lanes lanes = counting(1);
  lanes.values[0] = {INT64_MIN};
  lanes.values[1] = {-1};
  for (const char* text : {"x / y", "x / -1", "x * -1", "-x", "0 - x"})
    EXPECT_EQ(run(Expression::from_text(text), lanes).values[0], INT64_MIN) << text;
  for (const char* text : {"x % y", "x % -1"})
    EXPECT_EQ(run(Expression::from_text(text), lanes).values[0], 0);
}

TEST(Program, an_unknown_name_is_refused_with_its_column_even_where_it_is_never_read) {
  EXPECT_EQ(refusal("x + yy"), "column 5: unknown name 'yy' (did you mean 'y'?)");
  EXPECT_EQ(refusal("0 && foo"), "column 6: unknown name 'foo'; --let foo=4 gives it a value");
  EXPECT_EQ(refusal("widht < 2", "width=3"), "column 1: unknown name 'widht' (did you mean 'width'?)");
}

TEST(Program, a_name_that_hides_a_variable_is_refused) {
  EXPECT_EQ(error_of([] { refuse_shadows(names, Bindings::from_text("n=3,y=2")); }),
            "'y' is a variable of every expression: choose another name");
  EXPECT_EQ(error_of([] { refuse_shadows(names, Bindings::from_text("n=3")); }), "no error");
}

TEST(Program, knows_which_variables_it_reads) {
  const Program p(Expression::from_text("x + (0 ? y : 2)"), names, {});
  EXPECT_TRUE(p.uses(0));
  EXPECT_FALSE(p.uses(1));
  EXPECT_FALSE(p.uses(2));
}

// A random expression; small numbers, so that zero divisors and equal operands are common.
class Writer {
public:
  explicit Writer(unsigned seed) : random_(seed) {}
  std::string expression(int depth) {
    static constexpr const char* leaves[] = {
        "x", "y", "z", "n", "0", "1", "2", "3", "7", "8", "63", "0x40", "9223372036854775807"};
    static constexpr const char* signs[] = {
        "*", "/", "%", "+", "-", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "^", "|", "&&", "||"};
    if (depth == 0 || pick(6) == 0) return leaves[pick(std::size(leaves))];
    switch (pick(8)) {
    case 0:
      return std::string(1, "-~!"[pick(3)]) + " " + expression(depth - 1);
    case 1:
      return expression(depth - 1) + "?" + expression(depth - 1) + ":" + expression(depth - 1);
    case 2:
      return "(" + expression(depth - 1) + ")";
    default:
      return expression(depth - 1) + " " + signs[pick(std::size(signs))] + " " + expression(depth - 1);
    }
  }
  std::int64_t number() {
    static constexpr std::int64_t edges[] = {0, 0, 1, -1, 2, 5, 63, 64, INT64_MIN, INT64_MAX};
    return pick(2) ? edges[pick(std::size(edges))] : static_cast<std::int64_t>(pick(17)) - 8;
  }
  std::size_t pick(std::size_t n) { return random_() % n; }

private:
  std::mt19937 random_;
};

TEST(Program, agrees_with_a_walk_over_the_tree_lane_by_lane) {
  Writer writer(20261120);
  int values = 0, faults = 0;
  for (int round = 0; round < 6000; ++round) {
    const std::string text = writer.expression(5);
    const Expression e = Expression::from_text(text);
    Lanes lanes = counting(9);
    for (auto& v : lanes.values)
      for (std::int64_t& n : v) n = writer.number();
    std::vector<std::int64_t> mask(lanes.size());
    for (std::int64_t& m : mask) m = static_cast<std::int64_t>(writer.pick(2));
    const Answer a = run(e, lanes, round % 2 ? mask.data() : nullptr);
    bool any = false;
    for (std::size_t l = 0; l < lanes.size(); ++l) {
      if (round % 2 && mask[l] == 0) continue;
      try {
        const std::int64_t expected = naive_value(e.root(), lanes.lane(l));
        if (!a.fault) {
          EXPECT_EQ(a.values[l], expected) << text << " in lane " << l;
        } else {
          EXPECT_NE(a.fault->lane, l) << text;
        }
        ++values;
      } catch (const NaiveFault& f) {
        any = true;
        if (a.fault && a.fault->lane == l) {
          EXPECT_EQ(a.fault->column, f.column) << text;
        }
        ++faults;
      }
    }
    ASSERT_EQ(any, a.fault.has_value()) << text;
  }
  EXPECT_GT(values, 10'000);
  EXPECT_GT(faults, 1000);
}

} // namespace perfmodel::program_test
