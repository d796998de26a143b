#include "kernel_template.hpp"

#include "models/core/error.hpp"
#include "models/core/expression/expression.hpp"
#include "models/core/expression/program.hpp"
#include "models/core/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace perfmodel {

namespace {

std::int64_t value_of(std::string_view expression, const Bindings& sizes) {
  std::array<std::int64_t, 1> value{};
  Program program(Expression::from_text(expression), {}, sizes);
  if (const auto fault = program.evaluate({}, nullptr, value))
    throw InputError(fmt::format("column {}: {}", fault->column, fault->what));
  return value[0];
}

// The text with every expression's value in its place.
std::string filled(const std::string& option, const std::string& rule, const Bindings& names) {
  std::string text;
  for (std::size_t at = 0; at < rule.size();) {
    const std::size_t open = std::min(rule.find('{', at), rule.size());
    text += rule.substr(at, open - at);
    if (open == rule.size()) break;
    const std::size_t close = rule.find('}', open);
    if (close == std::string::npos)
      throw InputError(fmt::format("{}: '}}' is missing in '{}'", option, rule));
    try {
      text += std::to_string(value_of(std::string_view(rule).substr(open + 1, close - open - 1), names));
    } catch (const InputError& e) {
      throw InputError(fmt::format("{}: in '{}': {}", option, rule.substr(open, close + 1 - open), e.what()));
    }
    at = close + 1;
  }
  return text;
}

Shape own_block(const KernelTemplate& of, const Bindings& sizes) {
  for (const auto& [option, rule] : of.inputs)
    if (option == "block") return Shape::from_text(filled(option, rule, sizes));
  return {};
}

Bindings sides_of(Shape block) { return {{{"dx", block.x}, {"dy", block.y}, {"dz", block.z}}}; }

void check_block(const KernelTemplate& of, Shape block, Shape own) {
  if (of.blocks.empty()) {
    if (block == own) return;
    throw InputError(fmt::format("the block of '{}' is a constant of its code, {}, and {} is given", of.name,
                                 own.text(), block.text()));
  }
  try {
    if (value_of(of.blocks, sides_of(block)) != 0) return;
  } catch (const InputError& e) {
    throw InputError(fmt::format("blocks: in '{}': {}", of.blocks, e.what()));
  }
  throw InputError(fmt::format("'{}' takes blocks of dx x dy x dz threads where {}, and {} is given", of.name,
                               of.blocks, block.text()));
}

} // namespace

Bindings sizes_of(const KernelTemplate& of, const Bindings& let) {
  Bindings sizes = of.sizes;
  for (const auto& [name, value] : let.values) {
    std::vector<std::string> known;
    bool found = false;
    for (auto& [size, usual] : sizes.values) {
      known.push_back(size);
      if (size == name) usual = value, found = true;
    }
    if (!found)
      throw InputError(fmt::format("'{}' has no size '{}'{}; it has {}", of.name, name.substr(0, 40),
                                   suggestion(name, known), of.sizes.text()));
    if (const std::int64_t* most = of.most.find(name); most != nullptr && value > *most)
      throw InputError(fmt::format("{} is {}, and '{}' takes at most {}", name, value, of.name, *most));
    if (value < 1) throw InputError(fmt::format("{} is {}, and at least 1 is expected", name, value));
  }
  return sizes;
}

std::vector<std::pair<std::string, std::string>> inputs_of(const KernelTemplate& of, const Bindings& sizes,
                                                           std::optional<Shape> block) {
  const Shape own = own_block(of, sizes), used = block.value_or(own);
  check_block(of, used, own);
  Bindings names = sizes;
  for (auto& side : sides_of(used).values) names.values.push_back(std::move(side));
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& [option, rule] : of.inputs)
    all.emplace_back(option, option == "block" ? used.text() : filled(option, rule, names));
  return all;
}

bool covers(const KernelTemplate& of, Shape grid, Shape needed) {
  return of.strides || (grid.x >= needed.x && grid.y >= needed.y && grid.z >= needed.z);
}

} // namespace perfmodel
