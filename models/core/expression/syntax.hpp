// The syntax tree of an expression: what parsing makes and compiling reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perfmodel {

enum class Op : std::uint8_t {
  number,
  name,
  negate,
  complement,
  logical_not,
  multiply,
  divide,
  remainder,
  add,
  subtract,
  shift_left,
  shift_right,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  bit_and,
  bit_xor,
  bit_or,
  logical_and,
  logical_or,
  conditional
};

struct Node {
  Op op = Op::number;
  std::size_t column = 1; // of the operator, the number or the name; from 1
  std::int64_t value = 0; // of a number
  std::string name;
  std::vector<Node> children; // operands, left to right
};

} // namespace perfmodel
