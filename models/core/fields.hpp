// What a field of an input or of a row is to the outside: an option, a value to set, a cell of a column.
#pragma once

#include "error.hpp"
#include "model.hpp"
#include "quantity_text.hpp"

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

namespace perfmodel {

// An enum whose values have names: `constexpr auto names(E)` returns them in order, found by argument lookup.
template <class E>
concept Named = std::is_enum_v<E> && requires(E e) {
  names(e);
};

// A table of points given in a file; `Value::text` carries the CSV itself.
template <class P>
concept Points = requires(P p) {
  P::from_csv(std::string_view{});
};

// A type with a text of its own: the shape of a block, an expression. `from_text` throws InputError.
template <class T>
concept Written = requires(const T t, std::string_view text) {
  { T::from_text(text) } -> std::same_as<T>;
  { t.text() } -> std::convertible_to<std::string>;
};

// A written type that has no comma, so that several are a sweep: "16x16,32x8".
template <class T>
concept Listed = Written<T> && T::listed;

// A written type whose values are swept by name: "n=64:256:*2,m=3" (bindings.hpp).
template <class T>
concept Swept = Written<T> && requires(std::string_view text) {
  T::sweep(text);
};

// A written type whose option may be given several times, for one value of all of them: "n=4,in=1KiB".
template <class T>
concept Joined = Written<T> && T::joined;

// A written type that is given as a file, or by the name of one in the database's folder T::shipped_in.
template <class T>
concept Filed = Written<T> && requires {
  { T::shipped_in } -> std::convertible_to<std::string_view>;
};

namespace detail {

template <class S> inline constexpr auto fields_of = S::fields();

template <class T> struct Unwrapped { using type = T; };
template <class T> struct Unwrapped<std::optional<T>> { using type = T; };
template <class T> using unwrapped = typename Unwrapped<T>::type;

template <class T> Unit field_unit(std::string_view symbol) {
  if constexpr (std::is_enum_v<T> || std::is_same_v<T, std::string> || Points<T> || Written<T>)
    return {};
  else
    return symbol.empty() ? unit_of<T>() : Unit{std::string(symbol), dimension_of<T>};
}

template <class T> std::string value_text(const T& value, const Unit& unit) {
  if constexpr (Named<T>)
    return std::string(names(value)[static_cast<std::size_t>(value)]);
  else if constexpr (std::is_same_v<T, std::string>)
    return value;
  else if constexpr (Points<T>)
    return "";
  else if constexpr (Written<T>)
    return value.text();
  else
    return format_quantity(base_value(value), unit);
}

void set_default(Option& option, std::string text);

// The default is that of `defaults`; an optional input has none.
template <class S, class T> Option option_of(const Field<S, T>& field, const S& defaults) {
  using U = unwrapped<T>;
  Option option{.name = std::string(field.name), .help = std::string(field.help), .range = field.range};
  option.unit = field_unit<U>(field.symbol);
  if constexpr (Named<U>) {
    option.kind = OptionKind::choice;
    for (const auto name : names(U{})) option.choices.emplace_back(name);
  } else if constexpr (Swept<U>) {
    option.kind = OptionKind::bindings;
  } else if constexpr (Filed<U>) {
    option.kind = OptionKind::file;
    option.shipped_in = U::shipped_in;
    if constexpr (requires { U::shipped_default; })
      option.shipped_default = option.default_text = U::shipped_default;
  } else if constexpr (std::is_same_v<U, std::string> || Written<U>) {
    option.kind = OptionKind::text;
    option.listed = Listed<U>;
    option.joined = Joined<U>;
  } else if constexpr (Points<U>) {
    option.kind = OptionKind::points;
  }
  if constexpr (!std::is_same_v<T, std::optional<U>>)
    set_default(option, value_text(defaults.*field.member, option.unit));
  return option;
}

// Which of `choices` the word is; a count from a number. Throw InputError.
std::size_t choice_of(std::span<const std::string_view> choices, std::string_view word,
                      std::string_view name);
std::int64_t count_of(double number, std::string_view name);
[[noreturn]] void throw_named(const InputError& error, std::string_view name);

template <class T> void set_member(T& member, const Value& value, std::string_view name) {
  using U = unwrapped<T>;
  if constexpr (Named<U>) {
    static constexpr auto choices = names(U{});
    member = static_cast<U>(choice_of(choices, value.text, name));
  } else if constexpr (std::is_same_v<U, std::string>) {
    member = value.text;
  } else if constexpr (Points<U>) {
    member = U::from_csv(value.text);
  } else if constexpr (Written<U>) {
    try {
      member = U::from_text(value.text);
    } catch (const InputError& e) {
      throw_named(e, name);
    }
  } else if constexpr (std::is_integral_v<U>) {
    member = static_cast<U>(count_of(value.number, name));
  } else {
    member = U(value.number);
  }
}

template <class S> void set_input(S& input, std::string_view name, const Value& value) {
  std::apply(
      [&](const auto&... field) {
        ((field.name == name ? set_member(input.*field.member, value, name) : void()), ...);
      },
      fields_of<S>);
}

template <class S, class T> Column column_of(const Field<S, T>& field) {
  using U = unwrapped<T>;
  Column column{.name = std::string(field.name), .unit = field_unit<U>(field.symbol), .role = field.role};
  if constexpr (Named<U> || std::is_same_v<U, std::string> || Written<U>)
    column.cells = std::vector<std::string>{};
  else if constexpr (std::is_integral_v<T>)
    column.cells = std::vector<std::int64_t>{};
  else
    column.cells = std::vector<double>{};
  return column;
}

// Of a column that column_of made: a text is made in its place.
template <class T> void append_value(Column& column, const T& value) {
  const auto append_text = [&](const auto& text) {
    std::get<std::vector<std::string>>(column.cells).emplace_back(text);
  };
  if constexpr (std::is_same_v<T, std::optional<unwrapped<T>>>) {
    if (value)
      append_value(column, *value);
    else if constexpr (Named<unwrapped<T>> || std::is_same_v<unwrapped<T>, std::string> ||
                       Written<unwrapped<T>>)
      append(column, std::string());
    else
      append(column, absent);
  } else if constexpr (Named<T>) {
    append_text(names(value)[static_cast<std::size_t>(value)]);
  } else if constexpr (Written<T>) {
    append(column, value.text());
  } else if constexpr (std::is_same_v<T, std::string>) {
    append_text(value);
  } else if constexpr (std::is_arithmetic_v<T>) {
    append(column, value);
  } else {
    append(column, value.value);
  }
}

} // namespace detail
} // namespace perfmodel
