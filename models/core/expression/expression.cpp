#include "expression.hpp"

#include "models/core/error.hpp"
#include "syntax.hpp"
#include "tokens.hpp"

#include <fmt/format.h>

#include <array>

namespace perfmodel {

namespace {

using detail::Token;
using detail::TokenKind;

// A chain such as a + b + c ... makes a tree as high as it is long, which everything after walks by
// recursion; nobody types that many characters.
constexpr std::size_t longest = 4096;
constexpr int deepest = 200;

struct Binary {
  std::string_view sign;
  Op op;
  int precedence; // higher binds tighter; all of them associate to the left
};
constexpr auto binaries = std::to_array<Binary>({{"*", Op::multiply, 10},
                                                 {"/", Op::divide, 10},
                                                 {"%", Op::remainder, 10},
                                                 {"+", Op::add, 9},
                                                 {"-", Op::subtract, 9},
                                                 {"<<", Op::shift_left, 8},
                                                 {">>", Op::shift_right, 8},
                                                 {"<", Op::less, 7},
                                                 {"<=", Op::less_equal, 7},
                                                 {">", Op::greater, 7},
                                                 {">=", Op::greater_equal, 7},
                                                 {"==", Op::equal, 6},
                                                 {"!=", Op::not_equal, 6},
                                                 {"&", Op::bit_and, 5},
                                                 {"^", Op::bit_xor, 4},
                                                 {"|", Op::bit_or, 3},
                                                 {"&&", Op::logical_and, 2},
                                                 {"||", Op::logical_or, 1}});

class Parser {
public:
  explicit Parser(std::string_view text) : tokens_(detail::tokens(text)) {}

  Node whole() {
    Node node = conditional();
    if (next().kind != TokenKind::end)
      throw InputError(next().text == ")" ? fmt::format("column {}: no '(' before this ')'", next().column)
                                          : fmt::format("column {}: an operator is expected before {}",
                                                        next().column, quoted(next().text)));
    return node;
  }

private:
  const Token& next() const { return tokens_[at_]; }
  bool take(std::string_view sign) {
    if (next().kind != TokenKind::sign || next().text != sign) return false;
    ++at_;
    return true;
  }
  void expect(std::string_view sign) {
    if (!take(sign)) throw InputError(fmt::format("column {}: '{}' is missing", next().column, sign));
  }

  // One more level while it lives.
  struct Level {
    Level(int& levels, std::size_t column) : depth(levels) {
      if (++depth > deepest)
        throw InputError(fmt::format("column {}: nested deeper than {}", column, deepest));
    }
    ~Level() { --depth; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    int& depth;
  };

  Node conditional() {
    Node condition = binary(1);
    const std::size_t column = next().column;
    if (!take("?")) return condition;
    const Level level(depth_, column);
    Node node{.op = Op::conditional, .column = column, .name = {}, .children = {}};
    node.children.push_back(std::move(condition));
    node.children.push_back(conditional());
    expect(":");
    node.children.push_back(conditional());
    return node;
  }

  Node binary(int lowest) {
    Node left = unary();
    while (true) {
      const Binary* found = nullptr;
      for (const Binary& b : binaries)
        if (next().kind == TokenKind::sign && next().text == b.sign) found = &b;
      if (found == nullptr || found->precedence < lowest) return left;
      Node node{.op = found->op, .column = next().column, .name = {}, .children = {}};
      ++at_;
      node.children.push_back(std::move(left));
      node.children.push_back(binary(found->precedence + 1));
      left = std::move(node);
    }
  }

  Node unary() {
    const Token token = next();
    const Level level(depth_, token.column);
    Node node{.column = token.column, .value = token.value, .name = {}, .children = {}};
    if (take("(")) {
      node = conditional();
      expect(")");
      return node;
    }
    if (take("+")) return unary();
    if (token.kind == TokenKind::number || token.kind == TokenKind::name) {
      node.op = token.kind == TokenKind::number ? Op::number : Op::name;
      if (node.op == Op::name) node.name = token.text;
      ++at_;
      return node;
    }
    if (take("-"))
      node.op = Op::negate;
    else if (take("~"))
      node.op = Op::complement;
    else if (take("!"))
      node.op = Op::logical_not;
    else
      throw InputError(token.kind == TokenKind::end
                           ? fmt::format("column {}: a number or a name is expected", token.column)
                           : fmt::format("column {}: a number or a name is expected before {}", token.column,
                                         quoted(token.text)));
    node.children.push_back(unary());
    return node;
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

} // namespace

Expression Expression::from_text(std::string_view text) {
  Expression expression;
  if (text.empty()) return expression;
  if (text.find_first_not_of(" \t\n") == text.npos) throw InputError("the expression is empty");
  if (text.size() > longest)
    throw InputError(
        fmt::format("an expression of {} characters; at most {} are read", text.size(), longest));
  expression.text_ = text;
  expression.root_ = std::make_shared<const Node>(Parser(text).whole());
  return expression;
}

} // namespace perfmodel
