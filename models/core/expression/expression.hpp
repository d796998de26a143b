// The integer expression language of predicates and addresses: "row < n && col < n", "tid * s % 1024".
// C's operators, precedence and meaning on 64-bit integers (two's complement, wrapping; division truncates
// towards zero): + - * / % << >> & | ^ ~ ! && || ?: == != < <= > >=, parentheses, decimal and 0x numbers,
// names. && || ?: evaluate only the side that C would. Comparisons give 0 or 1. A shift by less than 0 or
// more than 63 bits is an error like a division by zero: it names the thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace perfmodel {

struct Node; // of the syntax tree: syntax.hpp

class Expression {
public:
  Expression() = default; // empty: an option that was not given
  // "" is empty; blanks are refused, as a script's variable without a value. Throws InputError, with the
  // column (from 1): "column 7: ')' is missing"; nesting deeper than 200 is refused. Names are looked up
  // later, when it is compiled (program.hpp).
  static Expression from_text(std::string_view text);
  const std::string& text() const { return text_; }
  bool empty() const { return root_ == nullptr; }
  const Node& root() const { return *root_; }

private:
  std::string text_;
  std::shared_ptr<const Node> root_;
};

} // namespace perfmodel
