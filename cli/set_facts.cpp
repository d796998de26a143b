// --set FACT=VALUES: what is read of it.
#include "context.hpp"
#include "expected_unit.hpp"
#include "plausible.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/what_if.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::cli {

namespace {

std::vector<Value> fact_values(const std::string& path, const std::string& text) {
  const KeyInfo* key = find_key(path);
  if (key == nullptr)
    with_fact(Gpu{}, path, std::string_view(text)); // throws the sentence about the unknown name
  if (key->kind == FactKind::list)
    with_fact(Gpu{}, path, std::string_view(text)); // throws what is wrong in it
  if (key->kind != FactKind::number) return {{.text = text}};
  const Unit unit{base_symbol(key->dimension), key->dimension};
  std::vector<Value> values;
  try {
    for (const double v : in_unit(unit, [&] { return parse_quantities(text, unit); }))
      values.push_back({.number = v});
  } catch (const InputError& e) {
    throw InputError(fmt::format("--set {}: {}", path, e.what()));
  }
  for (const Value& v : values) {
    const bool zero_fits = key->least <= 0 && v.number == 0;
    if (key->least == key->most && v.number != key->least)
      throw InputError(
          fmt::format("--set {}: {} it is, on every GPU", path, format_quantity(key->least, unit)));
    if (!(v.number > 0) && !zero_fits)
      throw InputError(fmt::format("--set {}: the value must be above zero", path));
    if (!plausible(*key, v.number))
      throw InputError(fmt::format("--set {}: {} is far outside {} to {}: is a prefix wrong?", path,
                                   format_quantity(v.number, unit), format_quantity(key->least, unit),
                                   format_quantity(key->most, unit)));
  }
  return values;
}

} // namespace

std::vector<Axis> fact_axes(const std::vector<std::string>& set) {
  std::vector<Axis> axes;
  for (const std::string& assignment : set) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == assignment.size())
      throw InputError(fmt::format("--set {}: FACT=VALUE is expected, such as dram.bandwidth=125GB/s",
                                   assignment.substr(0, 60)));
    const std::string path = assignment.substr(0, equals), text = assignment.substr(equals + 1);
    if (std::any_of(axes.begin(), axes.end(), [&](const Axis& a) { return a.name == path; }))
      throw InputError(fmt::format("--set gives '{}' twice", path));
    axes.push_back({.name = path, .values = fact_values(path, text)});
  }
  return axes;
}

} // namespace perfmodel::cli
