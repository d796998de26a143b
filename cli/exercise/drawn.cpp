#include "drawn.hpp"

#include "models/core/error.hpp"
#include "models/core/fact.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <cctype>

namespace perfmodel::cli {

namespace {

// "6KiB" as "6 KiB": round as it was written, where tables would say 6.144 kB; "" where no unit is written.
std::string with_unit_apart(const std::string& text) {
  const std::size_t unit = text.find_first_not_of("0123456789./");
  if (unit == 0 || unit == std::string::npos) return "";
  return text.substr(0, unit) + " " + text.substr(unit);
}

// The values of one item: itself, or those of a range.
std::vector<DrawnValue> values_of(const Model& model, const std::string& name,
                                  const hwdb::ExerciseValue& item, bool is_option) {
  DrawnValue one{.name = name,
                 .is_option = is_option,
                 .text = item.text,
                 .value = {.text = item.text},
                 .words = item.words.empty() ? item.text : item.words};
  if (!is_option) return {one};
  const Option& option = *model.find(name); // the file's reader has seen to it
  one.unit = option.unit;
  std::vector<DrawnValue> all;
  std::vector<Value> values = parse_values(option, item.text);
  for (Value& value : values) {
    one.value = value;
    if (option.kind == OptionKind::file) one.text = item.words; // exercises.hpp
    if (option.kind == OptionKind::number) {
      if (values.size() > 1) one.text = format_exact(value.number);
      one.words = item.words.empty() && values.size() == 1 ? with_unit_apart(item.text) : item.words;
    }
    all.push_back(one);
  }
  return all;
}

// "32 B, 64 B, 128 B".
std::string in_a_row(const FactRecord& list, const Unit& unit) {
  std::string text;
  for (const double value : list.values) text += (text.empty() ? "" : ", ") + format_quantity(value, unit);
  return text;
}

Unit unit_of(const KeyInfo& key) { return {base_symbol(key.dimension), key.dimension}; }

} // namespace

std::vector<DrawnValue> drawn_values(const Model& model, const hwdb::Exercise& exercise, Seeded& seeded) {
  std::vector<DrawnValue> drawn;
  const auto draw = [&](const std::vector<hwdb::ExerciseDraw>& draws, bool is_option) {
    for (const auto& [name, items] : draws) {
      std::vector<DrawnValue> all;
      for (const hwdb::ExerciseValue& item : items)
        for (DrawnValue& value : values_of(model, name, item, is_option)) all.push_back(std::move(value));
      drawn.push_back(std::move(all[seeded.below(all.size())]));
    }
  };
  draw(exercise.draw, true);
  draw(exercise.row, false);
  return drawn;
}

std::string filled_in(const std::string& text, const LookUp& look_up) {
  std::string out;
  std::size_t from = 0;
  for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', from)) {
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) break;
    out += text.substr(from, open - from);
    const std::string inner = text.substr(open + 1, close - open - 1);
    const std::string name = inner.substr(0, inner.find(':'));
    const std::optional<Said> said = look_up(name);
    if (!said) throw InputError(fmt::format("its answer has no '{}'", name));
    if (!said->words.empty())
      out += said->words;
    else if (name.size() < inner.size())
      out += format_quantity(said->number, {inner.substr(name.size() + 1), {}});
    else
      out += format_quantity(said->number, said->unit);
    from = close + 1;
  }
  return out + text.substr(from);
}

std::string plain_terms(std::string text) {
  const auto at = [&](std::size_t place) {
    return place < text.size() ? static_cast<unsigned char>(text[place]) : static_cast<unsigned char>(' ');
  };
  constexpr std::string_view once = "1 x ", nothing = " + 0";
  for (std::size_t found = text.find(once); found != std::string::npos; found = text.find(once, found + 1)) {
    const bool whole = found == 0 || at(found - 1) == ' ' || at(found - 1) == '(';
    if (whole && std::isalpha(at(found + once.size())) != 0) text.erase(found, once.size());
  }
  for (std::size_t found = text.find(nothing); found != std::string::npos;
       found = text.find(nothing, found)) {
    const std::size_t end = found + nothing.size();
    const bool number_ends = std::isalnum(at(end)) == 0 && (at(end) != '.' || std::isdigit(at(end + 1)) == 0);
    if (number_ends)
      text.erase(found, nothing.size());
    else
      found = end;
  }
  return text;
}

std::optional<Said> look_up_drawn(std::string_view name, const std::vector<DrawnValue>& drawn,
                                  const Gpu* gpu) {
  if (name == "gpu" && gpu != nullptr) return Said{.words = gpu->title};
  for (const DrawnValue& value : drawn)
    if (value.name == name)
      return Said{.number = value.value.number, .unit = value.unit, .words = value.words};
  const KeyInfo* key = find_key(name);
  if (key == nullptr || gpu == nullptr) return std::nullopt;
  const FactRecord* record = gpu->record(name);
  if (record != nullptr && !record->text.empty()) return Said{.words = record->text};
  if (record != nullptr && record->values.size() > 1) return Said{.words = in_a_row(*record, unit_of(*key))};
  if (const std::optional<Gpu::Cost> cost = gpu->cost_of(name))
    return Said{.number = cost->value, .unit = unit_of(*key)};
  return std::nullopt;
}

} // namespace perfmodel::cli
