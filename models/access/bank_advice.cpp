#include "bank_advice.hpp"

#include "models/access/mentions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

namespace {

// Smaller factors are strides of an algorithm, such as the 2 of 2*s*tid, and no rows that can be padded.
constexpr std::int64_t shortest_row = 16, longest_row = 1 << 30;

// Whether a name is what `node` is, or a term of it.
bool is_term(const Node& node, std::string_view name) {
  if (node.op == Op::name) return node.name == name;
  if (node.op != Op::add && node.op != Op::subtract && node.op != Op::multiply) return false;
  return std::any_of(node.children.begin(), node.children.end(),
                     [&](const Node& child) { return is_term(child, name); });
}

// A row's length, or a part of it, such as the pitch of x*pitch + y: the c of tid % c cannot be padded.
bool is_length(const Expression& index, std::string_view name) {
  bool found = false;
  each_node(index.root(),
            [&](const Node& n) { found = found || (n.op == Op::multiply && is_term(n, name)); });
  return found;
}

std::vector<Node> rows(const Expression& index) {
  std::vector<Node> all;
  each_node(index.root(), [&](const Node& n) {
    if (n.op != Op::multiply) return;
    for (const Node& factor : n.children)
      if (factor.op == Op::number && factor.value >= shortest_row && factor.value <= longest_row)
        all.push_back(factor);
  });
  return all;
}

bool in_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
std::size_t word_end(const std::string& text, std::size_t begin) {
  while (begin < text.size() && in_word(text[begin])) ++begin;
  return begin;
}

Expression with_number(const Expression& index, const Node& number, std::int64_t value) {
  std::string text = index.text();
  const std::size_t begin = number.column - 1;
  text.replace(begin, word_end(text, begin) - begin, std::to_string(value));
  return Expression::from_text(text);
}

Expression with_x_and_y_swapped(const Expression& index) {
  std::string text = index.text();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = word_end(text, begin);
    if (end == begin + 1 && (text[begin] == 'x' || text[begin] == 'y'))
      text[begin] = text[begin] == 'x' ? 'y' : 'x';
    begin = std::max(end, begin + 1);
  }
  return Expression::from_text(text);
}

// The least number from 1 to `most` that helps, or 0.
template <class Helps> std::int64_t least(std::int64_t most, Helps helps) {
  for (std::int64_t more = 1; more <= most; ++more)
    if (helps(more)) return more;
  return 0;
}

} // namespace

std::vector<std::string> ways_without_conflicts(const Expression& index, const Expression& guard,
                                                const Bindings& let, std::int64_t most,
                                                const ConflictFree& conflict_free) {
  std::vector<std::string> ways;
  for (std::size_t i = 0; i < let.values.size(); ++i) {
    const auto& [name, value] = let.values[i];
    if (!is_length(index, name) || mentions(guard, name)) continue;
    Bindings longer = let;
    const std::int64_t more = least(most, [&, from = value](std::int64_t m) {
      longer.values[i].second = from + m;
      return conflict_free(index, longer);
    });
    if (more > 0) ways.push_back(fmt::format("{} = {} ({} more)", name, value + more, more));
  }
  for (const Node& row : rows(index)) {
    const std::int64_t more = least(
        most, [&](std::int64_t m) { return conflict_free(with_number(index, row, row.value + m), let); });
    if (more > 0)
      ways.push_back(fmt::format("pad the row by {}: {} instead of {}", more, row.value + more, row.value));
  }
  if (mentions(index, "x") && mentions(index, "y") && conflict_free(with_x_and_y_swapped(index), let))
    ways.emplace_back("swap x and y");
  return ways;
}

} // namespace perfmodel
