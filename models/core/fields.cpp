#include "fields.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::detail {

std::size_t choice_of(std::span<const std::string_view> choices, std::string_view word,
                      std::string_view name) {
  const auto at = std::find(choices.begin(), choices.end(), word);
  if (at == choices.end()) throw InputError(fmt::format("--{}: unknown value '{}'", name, word));
  return static_cast<std::size_t>(at - choices.begin());
}

std::int64_t count_of(double number, std::string_view name) {
  if (!(number >= 0 && number <= 9e18)) throw InputError(fmt::format("--{}: too large a count", name));
  return static_cast<std::int64_t>(number);
}

void throw_named(const InputError& error, std::string_view name) {
  throw InputError(fmt::format("--{}: {}", name, error.what()));
}

Option option_of(const Field& field, const void* defaults) {
  const MemberType& type = *field.type;
  Option option{.name = std::string(field.name), .help = std::string(field.help), .kind = type.kind};
  option.unit = field.unit(), option.range = field.range;
  option.choices.assign(type.choices.begin(), type.choices.end());
  option.listed = type.listed, option.joined = type.joined;
  option.shipped_in = type.shipped_in;
  option.shipped_default = option.default_text = type.shipped_default;
  if (!type.optional) {
    option.default_text = type.text(field.of(defaults), option.unit);
    // As it may be typed: 16777216, where a table groups the digits.
    if (option.kind == OptionKind::number && option.unit.symbol.empty()) std::erase(option.default_text, ' ');
  }
  return option;
}

void set_field(std::span<const Field> fields, void* input, std::string_view name, const Value& value) {
  for (const Field& field : fields)
    if (field.name == name) return field.type->set(field.of(input), value, name);
}

Column column_of(const Field& field) {
  Column column{.name = std::string(field.name), .unit = field.unit(), .role = field.role};
  if (field.type->is_word())
    column.cells = std::vector<std::string>{};
  else if (field.type->count)
    column.cells = std::vector<std::int64_t>{};
  else
    column.cells = std::vector<double>{};
  return column;
}

void append_value(Column& column, const Field& field, const void* row) {
  const void* member = field.of(row);
  if (field.type->number)
    std::get<std::vector<double>>(column.cells).push_back(field.type->number(member));
  else if (field.type->count)
    std::get<std::vector<std::int64_t>>(column.cells).push_back(field.type->count(member));
  else
    std::get<std::vector<std::string>>(column.cells).push_back(field.type->text(member, column.unit));
}

} // namespace perfmodel::detail
