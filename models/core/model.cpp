#include "model.hpp"

#include "bindings.hpp"
#include "chart_choice.hpp"
#include "error.hpp"
#include "quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

const Option* Model::find(std::string_view name) const {
  const auto at =
      std::find_if(options.begin(), options.end(), [&](const Option& o) { return o.name == name; });
  return at == options.end() ? nullptr : &*at;
}

namespace {

void check_range(const Option& option, double v) {
  const auto refuse = [&](const char* what) {
    throw InputError(
        fmt::format("--{}: {} given, {} is expected", option.name, format_quantity(v, option.unit), what));
  };
  switch (option.range) {
  case Range::any:
    return;
  case Range::not_negative:
    if (v < 0) refuse("zero or more");
    return;
  case Range::positive:
    if (!(v > 0)) refuse("a value above zero");
    return;
  case Range::whole:
    if (v < 1 || v != std::floor(v)) refuse("a whole number from 1");
    return;
  }
}

std::vector<Value> parse_choices(const Option& option, std::string_view text) {
  std::vector<Value> values;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    const std::string word(rest.substr(0, comma));
    if (std::find(option.choices.begin(), option.choices.end(), word) == option.choices.end())
      throw InputError(fmt::format("--{}: unknown value '{}'{}; one of {} is expected", option.name,
                                   word.substr(0, 40), suggestion(word, option.choices),
                                   fmt::join(option.choices, ", ")));
    values.push_back({.text = word});
    if (comma == std::string_view::npos) return values;
    rest.remove_prefix(comma + 1);
  }
}

std::vector<Value> parse_list(std::string_view text) {
  std::vector<Value> values;
  for (std::string_view rest = text;;) {
    const std::size_t comma = rest.find(',');
    values.push_back({.text = std::string(rest.substr(0, comma))});
    if (comma == std::string_view::npos) return values;
    rest.remove_prefix(comma + 1);
  }
}

} // namespace

std::vector<Value> parse_values(const Option& option, std::string_view text) {
  if (option.kind == OptionKind::choice) return parse_choices(option, text);
  if (option.listed) return parse_list(text);
  if (option.kind != OptionKind::number && option.kind != OptionKind::bindings)
    return {{.text = std::string(text)}};
  std::vector<Value> values;
  try {
    if (option.kind == OptionKind::bindings) {
      for (const Bindings& b : Bindings::sweep(text)) values.push_back({.text = b.text()});
      return values;
    }
    for (const double v : parse_quantities(text, option.unit)) values.push_back({.number = v});
  } catch (const InputError& e) {
    throw InputError("--" + option.name + ": " + e.what());
  }
  for (const Value& v : values) check_range(option, v.number);
  return values;
}

const Model& model(std::string_view name) {
  std::vector<std::string> there;
  for (const Model& m : models()) {
    if (m.info.name == name) return m;
    there.emplace_back(m.info.name);
  }
  throw InputError("unknown model '" + std::string(name) + "'" + suggestion(name, there));
}

namespace {

// Inputs of any size are taken; what comes of them must be a number.
void refuse_infinite(const Result& result) {
  for (const Table& table : result.tables)
    for (const Column& column : table.columns) {
      if (column.is_text()) continue;
      for (std::size_t row = 0; row < table.rows(); ++row)
        if (std::isinf(column.number(row)))
          throw InputError(
              fmt::format("the answer's {} is larger than any number: give smaller inputs", column.name));
    }
}

} // namespace

Result predict(const Model& model, std::span<const Gpu> gpus, const Request& request) {
  for (const Axis& axis : request.inputs)
    if (model.find(axis.name) == nullptr)
      throw InputError(fmt::format("the model '{}' has no input '{}'", model.info.name, axis.name));
  double points = 1;
  for (const Axis& axis : request.inputs) points *= static_cast<double>(axis.values.size());
  for (const Axis& axis : request.facts) points *= static_cast<double>(axis.values.size());
  if (points < 1) throw InputError("an axis of the grid has no values");
  if (points > static_cast<double>(sweep_limit)) throw InputError("the grid has more than 10 million points");
  Result result = model.run(model, gpus, request);
  refuse_infinite(result);
  result.chart = chart_choice(model, request, result);
  return result;
}

} // namespace perfmodel
