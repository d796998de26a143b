// An expression: refused, or worth in every lane what a walk over its tree gives.
#include "target.hpp"

#include "models/core/expression/program.hpp"
#include "tests/models/core/expression/evaluate.hpp"

#include <array>

using namespace perfmodel;

namespace {

constexpr std::array<std::string_view, 3> names{"x", "y", "z"};
constexpr std::size_t lanes = 5;
constexpr std::array<std::array<std::int64_t, lanes>, 3> values{
    {{0, 1, 2, 63, 1000}, {-1, 0, 5, INT64_MIN, 64}, {INT64_MAX, 3, -8, 0, 1}}};

void compare(const Expression& expression) {
  Program program(expression, names, Bindings::from_text("n=4"));
  const std::array<const std::int64_t*, 3> variables{values[0].data(), values[1].data(), values[2].data()};
  std::array<std::int64_t, lanes> out{};
  const auto fault = program.evaluate(variables, nullptr, out);
  bool any = false;
  for (std::size_t l = 0; l < lanes; ++l) {
    const Bindings lane{{{"x", values[0][l]}, {"y", values[1][l]}, {"z", values[2][l]}, {"n", 4}}};
    try {
      const std::int64_t expected = naive_value(expression.root(), lane);
      fuzz::promise(fault ? fault->lane != l : out[l] == expected, "every lane has its own value");
    } catch (const NaiveFault& f) {
      any = true;
      fuzz::promise(!fault || fault->lane != l || fault->column == f.column, "a fault names its operator");
    }
  }
  fuzz::promise(any == fault.has_value(), "a fault is one where C would meet it");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] {
    const Expression expression = Expression::from_text(text);
    fuzz::promise(expression.empty() || expression.text() == text, "an expression keeps its text");
    if (!expression.empty()) compare(expression);
  });
  return 0;
}
