#include "step_name.hpp"

#include "models/core/bindings.hpp"
#include "models/core/error.hpp"
#include "models/core/expression/expression.hpp"
#include "models/core/expression/syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace perfmodel::cli {

namespace {

constexpr std::string_view step_variable = "i";

bool names_step(const Node& node) {
  return node.name == step_variable || std::any_of(node.children.begin(), node.children.end(), names_step);
}

// Whether it is an expression with `i` in it; what is none ("16x16" of a block) has no names.
bool is_of_steps(const std::string& text) {
  try {
    const Expression expression = Expression::from_text(text);
    return !expression.empty() && names_step(expression.root());
  } catch (const InputError&) { // said where it is read
    return false;
  }
}

} // namespace

void refuse_step_without_steps(const Model& model, const ModelInputs& inputs) {
  const auto given = [&](const std::string& name) {
    const auto at = inputs.given.find(name);
    return at == inputs.given.end() ? std::string() : at->second;
  };
  const auto lets = std::find_if(model.options.begin(), model.options.end(),
                                 [](const Option& o) { return o.kind == OptionKind::bindings; });
  if (lets == model.options.end() || model.find("steps") != nullptr) return;
  const std::string own = "," + given(lets->name);
  if (own.find(fmt::format(",{}=", step_variable)) != std::string::npos) return;
  for (const Option& option : model.options)
    if (option.kind == OptionKind::text && is_of_steps(given(option.name)))
      throw InputError(fmt::format("--{}: 'i' is the step of a loop, and here is none: write gid for the "
                                   "thread's number in the grid, tid for that in its block",
                                   option.name));
}

} // namespace perfmodel::cli
