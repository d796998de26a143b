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

// Far beyond what anybody asks, and before counts skip whole numbers (2^53), before bytes leave what a 64-bit
// integer holds, and before products of inputs leave what a double holds.
struct Limits {
  double least, most; // of what is not zero, in base units
};
Limits limits_of(const Option& option) {
  if (option.range == Range::per_thread) return {1, 65536};
  if (option.unit.dimension == dimension_of<Bytes>) return {1, 1e18};
  if (option.unit.dimension == Dimension{}) return {1e-15, 1e15};
  return {1e-18, 1e30};
}

void check_range(const Option& option, double v) {
  const auto refuse = [&](const std::string& what) {
    throw InputError(
        fmt::format("--{}: {} given, {} is expected", option.name, format_quantity(v, option.unit), what));
  };
  const auto whole = [&] { return v >= 1 && v == std::floor(v); };
  const auto [least, most] = limits_of(option);
  if (option.range == Range::not_negative && v < 0) refuse("zero or more");
  if (option.range == Range::positive && !(v > 0)) refuse("a value above zero");
  if (option.range == Range::whole && !whole()) refuse("a whole number from 1");
  if (option.range == Range::per_thread && !(whole() && v <= most))
    refuse(fmt::format("a whole number from 1 to {:.0f}", most));
  if (std::fabs(v) > most) refuse("at most " + format_quantity(most, option.unit));
  if (v != 0 && std::fabs(v) < least) refuse("at least " + format_quantity(least, option.unit));
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

void check_grid(const Model& model, const Request& request) {
  for (const Axis& axis : request.inputs)
    if (model.find(axis.name) == nullptr)
      throw InputError(fmt::format("the model '{}' has no input '{}'", model.info.name, axis.name));
  double points = 1;
  for (const Axis& axis : request.inputs) points *= static_cast<double>(axis.values.size());
  for (const Axis& axis : request.facts) points *= static_cast<double>(axis.values.size());
  if (points < 1) throw InputError("an axis of the grid has no values");
  if (points > static_cast<double>(sweep_limit)) throw InputError("the grid has more than 10 million points");
}

// The devices that the model is asked about; an empty one where there is none.
std::span<const Gpu> devices_of(const Model& model, std::span<const Gpu> gpus) {
  static const Gpu none;
  if (model.info.gpu == GpuUse::needed && gpus.empty())
    throw InputError(fmt::format("{} is about a GPU: name one", model.info.name));
  return model.info.gpu == GpuUse::none || gpus.empty() ? std::span(&none, 1) : gpus;
}

} // namespace

Result predict(const Model& model, std::span<const Gpu> gpus, const Request& request) {
  check_grid(model, request);
  gpus = devices_of(model, gpus);
  Result result = model.run(model, gpus, request, nullptr);
  result.chart = chart_choice(model, request, result);
  return result;
}

Result predict(const Model& model, std::span<const Gpu> gpus, const Request& request, RowSink& sink) {
  check_grid(model, request);
  return model.run(model, devices_of(model, gpus), request, &sink);
}

} // namespace perfmodel
