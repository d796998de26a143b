#include "kernel_template.hpp"

#include "models/core/error.hpp"
#include "models/core/expression/expression.hpp"
#include "models/core/expression/program.hpp"
#include "models/core/model.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace perfmodel {

namespace {

std::int64_t value_of(std::string_view expression, const Bindings& sizes) {
  std::array<std::int64_t, 1> value{};
  Program program(Expression::from_text(expression), {}, sizes);
  if (const auto fault = program.evaluate({}, nullptr, value))
    throw InputError(fmt::format("column {}: {}", fault->column, fault->what));
  return value[0];
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
      throw InputError(fmt::format("let: '{}' has no size '{}'{}; it has {}", of.name, name.substr(0, 40),
                                   suggestion(name, known), of.sizes.text()));
    if (const std::int64_t* most = of.most.find(name); most != nullptr && value > *most)
      throw InputError(fmt::format("let: {} is {}, and '{}' takes at most {}", name, value, of.name, *most));
    if (value < 1) throw InputError(fmt::format("let: {} is {}, and at least 1 is expected", name, value));
  }
  return sizes;
}

std::vector<std::pair<std::string, std::string>> inputs_of(const KernelTemplate& of, const Bindings& sizes) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const auto& [option, rule] : of.inputs) {
    std::string text;
    for (std::size_t at = 0; at < rule.size();) {
      const std::size_t open = std::min(rule.find('{', at), rule.size());
      text += rule.substr(at, open - at);
      if (open == rule.size()) break;
      const std::size_t close = rule.find('}', open);
      if (close == std::string::npos)
        throw InputError(fmt::format("{}: '}}' is missing in '{}'", option, rule));
      try {
        text += std::to_string(value_of(std::string_view(rule).substr(open + 1, close - open - 1), sizes));
      } catch (const InputError& e) {
        throw InputError(
            fmt::format("{}: in '{}': {}", option, rule.substr(open, close + 1 - open), e.what()));
      }
      at = close + 1;
    }
    all.emplace_back(option, std::move(text));
  }
  return all;
}

} // namespace perfmodel
