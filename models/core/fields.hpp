// What a member of an input or of a row is to the outside: an option, a value to set, a cell of a column.
// What differs from type to type is compiled once for each type, not for every struct that has such a member.
#pragma once

#include "error.hpp"
#include "model.hpp"
#include "quantity_text.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
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

// `kind` and what follows it to `shipped_default` are those of Option.
struct MemberType {
  OptionKind kind = OptionKind::number;
  bool listed = false, joined = false;
  std::string_view shipped_in, shipped_default;
  std::span<const std::string_view> choices; // of an enum
  bool optional = false;
  Unit (*unit)() = nullptr; // without a symbol of the field's own
  // The member as the type that it is; of an empty optional nothing, "" and NaN.
  void (*set)(void* member, const Value& value, std::string_view name) = nullptr; // throws InputError
  std::string (*text)(const void* member, const Unit& unit) = nullptr;
  // One of them at most; a word has neither.
  std::int64_t (*count)(const void* member) = nullptr;
  double (*number)(const void* member) = nullptr;

  bool is_word() const { return count == nullptr && number == nullptr; }
};

// A member that a struct has named in `fields`, at so many bytes from its start.
struct Field {
  std::string_view name, help;
  Range range = Range::positive;
  Role role = Role::predicted;
  std::string_view symbol;
  std::size_t offset = 0;
  const MemberType* type = nullptr;

  const void* of(const void* object) const { return static_cast<const std::byte*>(object) + offset; }
  void* of(void* object) const { return static_cast<std::byte*>(object) + offset; }
  Unit unit() const { return symbol.empty() || type->is_word() ? type->unit() : symbol_unit(); }

private:
  Unit symbol_unit() const { return {std::string(symbol), type->unit().dimension}; }
};

// Which of `choices` the word is; a count from a number. Throw InputError.
std::size_t choice_of(std::span<const std::string_view> choices, std::string_view word,
                      std::string_view name);
std::int64_t count_of(double number, std::string_view name);
[[noreturn]] void throw_named(const InputError& error, std::string_view name);

template <class T> struct Unwrapped {
  using type = T;
  static const T* get(const T& value) { return &value; }
};
template <class T> struct Unwrapped<std::optional<T>> {
  using type = T;
  static const T* get(const std::optional<T>& value) { return value ? &*value : nullptr; }
};

// Of a member of type T, U without its optional.
template <class T, class U = typename Unwrapped<T>::type> struct Member {
  static constexpr bool is_word =
      std::is_enum_v<U> || std::is_same_v<U, std::string> || Points<U> || Written<U>;
  static constexpr auto choices = [] {
    if constexpr (Named<U>)
      return names(U{});
    else
      return std::array<std::string_view, 0>{};
  }();

  static const U* get(const void* member) { return Unwrapped<T>::get(*static_cast<const T*>(member)); }

  static Unit unit() {
    if constexpr (is_word)
      return {};
    else
      return unit_of<U>();
  }

  static void set(void* into, const Value& value, std::string_view name) {
    T& member = *static_cast<T*>(into);
    if constexpr (Named<U>) {
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

  static std::string text(const void* member, [[maybe_unused]] const Unit& unit) {
    const U* value = get(member);
    if (value == nullptr) return "";
    if constexpr (Named<U>)
      return std::string(names(*value)[static_cast<std::size_t>(*value)]);
    else if constexpr (std::is_same_v<U, std::string>)
      return *value;
    else if constexpr (Points<U>)
      return "";
    else if constexpr (Written<U>)
      return value->text();
    else
      return format_quantity(base_value(*value), unit);
  }

  static std::int64_t count(const void* member) { return static_cast<std::int64_t>(*get(member)); }
  static double number(const void* member) {
    const U* value = get(member);
    return value ? base_value(*value) : absent;
  }

  static constexpr MemberType type() {
    MemberType t{.optional = !std::is_same_v<T, U>, .unit = unit, .set = set, .text = text};
    if constexpr (Named<U>) {
      t.kind = OptionKind::choice, t.choices = choices;
    } else if constexpr (Swept<U>) {
      t.kind = OptionKind::bindings;
    } else if constexpr (Filed<U>) {
      t.kind = OptionKind::file, t.shipped_in = U::shipped_in;
      if constexpr (requires { U::shipped_default; }) t.shipped_default = U::shipped_default;
    } else if constexpr (std::is_same_v<U, std::string> || Written<U>) {
      t.kind = OptionKind::text, t.listed = Listed<U>, t.joined = Joined<U>;
    } else if constexpr (Points<U>) {
      t.kind = OptionKind::points;
    } else if constexpr (std::is_integral_v<T>) {
      t.count = count;
    } else {
      t.number = number;
    }
    return t;
  }
};
template <class T> inline constexpr MemberType member_type = Member<T>::type();

// What a struct's `fields` calls for each of its members.
template <class S> class FieldList {
public:
  explicit FieldList(const S& example) : example_(example) {}
  template <class T>
  void operator()(T S::*member, std::string_view name, std::string_view help, Range range = Range::positive,
                  Role role = Role::predicted, std::string_view symbol = {}) {
    const auto* at = reinterpret_cast<const std::byte*>(&(example_.*member));
    const auto* start = reinterpret_cast<const std::byte*>(&example_);
    list.push_back({name, help, range, role, symbol, static_cast<std::size_t>(at - start), &member_type<T>});
  }
  std::vector<Field> list;

private:
  const S& example_;
};

template <class S> const std::vector<Field>& fields_of() {
  static const std::vector<Field> all = [] {
    const S example{};
    FieldList<S> fields(example);
    S::fields(fields);
    return std::move(fields.list);
  }();
  return all;
}

// The option of an input's member; the default is that of `defaults`, an optional one has none.
Option option_of(const Field& field, const void* defaults);

// Sets the member of that name, if there is one. Throws InputError.
void set_field(std::span<const Field> fields, void* input, std::string_view name, const Value& value);

// The column of a row's member, empty; and the member's value in it.
Column column_of(const Field& field);
void append_value(Column& column, const Field& field, const void* row);

} // namespace detail
} // namespace perfmodel
