#include "filling.hpp"

#include "bindings.hpp"
#include "swept_names.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::detail {

namespace {

// A sweep of names has numbers of their own, which a chart can draw over.
bool is_by_name(const Model& model, const Axis& axis) {
  return axis.values.size() > 1 && model.find(axis.name)->kind == OptionKind::bindings;
}

void append_key(Column& column, const Value& value) {
  if (column.is_text())
    append(column, value.text);
  else
    append(column, value.number);
}

} // namespace

bool has_value(const Column& column) {
  for (std::size_t row = 0; row < column.size(); ++row)
    if (column.is_text() ? !column.text(row).empty() : !std::isnan(column.number(row))) return true;
  return false;
}

Filling::Filling(const RowType& type, const Model& model, const Request& request, std::size_t points)
    : model_(model) {
  table_.title = std::string(type.title);
  add({.name = "gpu", .role = Role::key, .cells = std::vector<std::string>{}});
  for (const Axis& axis : request.facts) {
    const KeyInfo* key = find_key(axis.name);
    const Unit unit = key ? Unit{base_symbol(key->dimension), key->dimension} : Unit{};
    add({.name = axis.name, .unit = unit, .role = Role::key, .cells = std::vector<double>{}});
  }
  for (std::size_t i = 0; i < request.inputs.size(); ++i) {
    const Axis& axis = request.inputs[i];
    const Option& option = *model.find(axis.name);
    const bool is_field = std::any_of(type.fields.begin(), type.fields.end(),
                                      [&](const Field& f) { return f.name == axis.name; });
    if (is_field || option.kind == OptionKind::points || option.kind == OptionKind::file)
      continue; // the row says it itself
    inputs_.push_back(i);
    if (is_by_name(model, axis)) {
      for (const Axis& name : swept_names(model, axis))
        add({.name = name.name, .role = Role::key, .cells = std::vector<std::int64_t>{}});
      continue;
    }
    Column column{.name = axis.name, .unit = option.unit, .role = Role::key, .cells = std::vector<double>{}};
    if (option.kind != OptionKind::number) column.cells = std::vector<std::string>{};
    add(std::move(column));
  }
  first_ = table_.columns.size();
  for (const Field& field : type.fields) {
    add(column_of(field));
    is_optional_.push_back(field.type->optional);
  }
  bands_ = table_.columns.size();
  if (const auto banded = banded_field(type.fields, banded_name(model.info)); request.bands && banded) {
    has_bands_ = true;
    const Column of = column_of(type.fields[*banded]);
    const auto end = [&](std::string_view what, Role role) {
      add({.name = of.name + "_" + std::string(what),
           .unit = of.unit,
           .role = role,
           .cells = std::vector<double>{}});
    };
    end("low", Role::low);
    end("median", Role::note);
    end("high", Role::high);
    add({.name = "goes_with", .role = Role::note, .cells = std::vector<std::string>{}});
  }
  add({.name = "grade", .role = Role::note, .cells = std::vector<std::string>{}});
  for (Column& column : table_.columns) std::visit([&](auto& cells) { cells.reserve(points); }, column.cells);
}

void Filling::add_keys(const Place& place) {
  std::size_t c = 0;
  append(table_.columns[c++], place.gpu.name);
  for (const Value& v : place.facts) {
    if (v.text.empty())
      append(table_.columns[c++], v.number);
    else
      append(table_.columns[c++], v.text);
  }
  for (const std::size_t i : inputs_) {
    if (!is_by_name(model_, place.request.inputs[i])) {
      append_key(table_.columns[c++], place.inputs[i]);
      continue;
    }
    for (const auto& [name, number] : Bindings::from_text(place.inputs[i].text).values)
      append(table_.columns[c++], number);
  }
}

void Filling::add_row(const Place& place, std::span<const Field> fields, const void* row, Grade grade,
                      const Band& band) {
  add_keys(place);
  for (std::size_t i = 0; i < fields.size(); ++i) append_value(table_.columns[first_ + i], fields[i], row);
  if (has_bands_) {
    append(table_.columns[bands_], band.low);
    append(table_.columns[bands_ + 1], band.median);
    append(table_.columns[bands_ + 2], band.high);
    append(table_.columns[bands_ + 3], band.goes_with);
  }
  std::get<std::vector<std::string>>(table_.columns.back().cells).emplace_back(name_of(grade));
}

void Filling::clear() {
  for (Column& column : table_.columns) std::visit([](auto& cells) { cells.clear(); }, column.cells);
}

bool Filling::can_be_left_out(std::size_t column) const {
  const Role role = table_.columns[column].role;
  const bool of_band = has_bands_ && column >= bands_ && column < bands_ + 4;
  const bool is_optional = column >= first_ && column < bands_ && is_optional_[column - first_];
  return column == 0 || of_band || is_optional ||
         (column >= first_ && (role == Role::key || role == Role::measured));
}

void add_rows(std::vector<Filling>& fillings, const Place& place, const std::vector<Rows>& tables,
              const RowGrades& grades, const RowBands& bands) {
  for (std::size_t t = 0; t < tables.size(); ++t)
    for (std::size_t i = 0; i < tables[t].count; ++i)
      fillings[t].add_row(place, tables[t].fields, tables[t].row(i),
                          grades.empty() || grades[t].empty() ? Grade::known : grades[t][i],
                          bands.empty() || bands[t].empty() ? Band{} : bands[t][i]);
}

Table Filling::take() {
  std::size_t c = 0;
  std::erase_if(table_.columns, [&](const Column& column) {
    return can_be_left_out(c++) && column.size() > 0 && !has_value(column);
  });
  return std::move(table_);
}

} // namespace perfmodel::detail
