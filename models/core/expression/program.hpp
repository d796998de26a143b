// An expression compiled for evaluation over many threads at once: one array of numbers for each variable,
// one number for each lane. && || ?: are lane masks: both sides are computed in every lane, but only lanes
// that C would send there can fault.
#pragma once

#include "expression.hpp"
#include "models/core/bindings.hpp"
#include "syntax.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace perfmodel {

// Why an expression has no value in a lane: "division by zero", at the operator's column.
struct Fault {
  std::size_t column = 1;
  std::string_view what;
  std::size_t lane = 0;
};

class Program {
public:
  // `names` are the variables, in the order in which evaluate() takes them; `let` holds constants. Throws
  // InputError: "column 5: unknown name 'rwo' (did you mean 'row'?)".
  Program(const Expression& expression, std::span<const std::string_view> names, const Bindings& let);

  bool uses(std::size_t variable) const { return uses_[variable]; }

  // One value for each of out.size() lanes. `variables` has an array for each name (nullptr: not used), and
  // `mask`, unless it is nullptr, a 0 or 1 for each lane: values where it is 0 mean nothing and do not fault.
  // After a fault `out` means nothing.
  std::optional<Fault> evaluate(std::span<const std::int64_t* const> variables, const std::int64_t* mask,
                                std::span<std::int64_t> out);

  // The machine that an expression is compiled for; `slot`s are arrays of its own.
  struct Operand {
    enum Kind : std::uint8_t { constant, variable, slot, mask } kind = constant;
    std::size_t index = 0;
    std::int64_t value = 0;
  };
  struct Instruction {
    Op op = Op::add; // conditional takes the lanes of `a` where `when` is 1, those of `b` where it is 0
    Operand a, b, when;
    std::size_t out = 0; // slot
    std::size_t column = 1;
  };

private:
  std::vector<bool> uses_;
  std::vector<Instruction> instructions_;
  Operand result_;
  std::size_t slots_ = 0;
  std::vector<std::int64_t> scratch_;
};

// Throws InputError when a name of `let` is one of `names` already.
void refuse_shadows(std::span<const std::string_view> names, const Bindings& let);

} // namespace perfmodel
