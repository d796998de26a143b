// How --explain gets its steps: a model is a template over a trace, and computes with the trace's terms.
// Plain's terms are the quantities themselves, so a sweep pays nothing. Recorder's terms carry the text of
// the expression that made them, so a formula is written once: in the code that computes.
#pragma once

#include "gpu.hpp"
#include "quantity_text.hpp"
#include "result.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perfmodel {

struct Plain {
  static constexpr bool records = false;
  template <class Q> Q fact(const Gpu& gpu, const Key<Q>& key) const { return gpu.at(key).value; }
  template <class Q> Q input(std::string_view, Q value) const { return value; }
  template <class Q> Q number(Q value) const { return value; }
  template <class Q> Q define(std::string_view, std::string_view, Q value) const { return value; }
  void say(std::string_view, std::string_view, std::string_view) const {}
  void fitted(std::string_view, std::string_view, double, std::string_view) const {}
};

// A quantity with the text that made it. `rank`: 0 an atom, 1 a product, 2 a sum (for parentheses).
template <class Q> struct Term {
  Q value{};
  std::string formula, numbers;
  int rank = 0;
};

struct Recorder {
  static constexpr bool records = true;
  Derivation derivation;

  template <class Q> Term<Q> fact(const Gpu& gpu, const Key<Q>& key) {
    const Fact<Q> f = gpu.at(key);
    Step step{.symbol = std::string(key.path),
              .meaning = std::string(key.meaning),
              .value = base_value(f.value),
              .unit = unit_of<Q>(),
              .is_fact = true,
              .is_fitted = f.record->status == Status::fitted && f.record->layer != Layer::set,
              .status = f.record->status,
              .layer = f.record->layer,
              .source = f.record->source,
              .place = f.record->place,
              .probe = f.record->probe};
    return atom(std::move(step), f.value);
  }
  template <class Q> Term<Q> input(std::string_view symbol, Q value) {
    Step step{.symbol = std::string(symbol),
              .meaning = "given",
              .value = base_value(value),
              .unit = unit_of<Q>(),
              .source = "given"};
    return atom(std::move(step), value);
  }
  // A number of the formula itself, such as the 2 flop of an FMA.
  template <class Q> Term<Q> number(Q value) const {
    const std::string text = format_quantity(base_value(value), unit_of<Q>());
    return {value, text, text, 0};
  }
  template <class Q> Term<Q> define(std::string_view symbol, std::string_view meaning, const Term<Q>& term) {
    order_operands(term.formula);
    Step step{.symbol = std::string(symbol),
              .meaning = std::string(meaning),
              .formula = term.formula,
              .numbers = term.numbers,
              .value = base_value(term.value),
              .unit = unit_of<Q>()};
    return atom(std::move(step), term.value);
  }
  // A constant that was chosen to match measurements: it is counted in every answer that used it.
  void fitted(std::string_view symbol, std::string_view meaning, double value, std::string_view by) {
    derivation.steps.push_back({.symbol = std::string(symbol),
                                .meaning = std::string(meaning),
                                .value = value,
                                .is_fitted = true,
                                .source = std::string(by)});
  }
  void say(std::string_view symbol, std::string_view meaning, std::string_view text) {
    derivation.steps.push_back(
        {.symbol = std::string(symbol), .meaning = std::string(meaning), .text = std::string(text)});
  }

private:
  // A compiler evaluates the operands of a product in any order it likes; their steps, which come just before
  // it, stand in the order of the formula.
  void order_operands(const std::string& formula);

  template <class Q> Term<Q> atom(Step step, Q value) {
    Term<Q> term{value, step.symbol, format_quantity(base_value(value), step.unit), 0};
    const bool seen = std::any_of(derivation.steps.begin(), derivation.steps.end(), [&](const Step& s) {
      return s.symbol == step.symbol && s.value == step.value;
    });
    if (!seen) derivation.steps.push_back(std::move(step));
    return term;
  }
};

namespace detail {
inline std::string wrap(const std::string& text, bool parentheses) {
  return parentheses ? "(" + text + ")" : text;
}
template <class Q, class A, class B>
Term<Q> join(Q value, const Term<A>& a, const Term<B>& b, const char* sign, int rank, bool wrap_right) {
  const bool left = a.rank > rank, right = b.rank > rank || (wrap_right && b.rank == rank);
  return {value, wrap(a.formula, left) + sign + wrap(b.formula, right),
          wrap(a.numbers, left) + sign + wrap(b.numbers, right), rank};
}
inline Term<double> literal(double k) {
  const std::string text = format_quantity(k, {});
  return {k, text, text, 0};
}
template <class Q> Term<Q> call(const char* name, Q value, const Term<Q>& a, const Term<Q>& b) {
  return {value, std::string(name) + "(" + a.formula + ", " + b.formula + ")",
          std::string(name) + "(" + a.numbers + ", " + b.numbers + ")", 0};
}
} // namespace detail

template <class A, class B> auto operator*(const Term<A>& a, const Term<B>& b) {
  return detail::join(a.value * b.value, a, b, " x ", 1, false);
}
template <class A, class B> auto operator/(const Term<A>& a, const Term<B>& b) {
  return detail::join(a.value / b.value, a, b, " / ", 1, true);
}
template <class Q> Term<Q> operator+(const Term<Q>& a, const Term<Q>& b) {
  return detail::join(Q(a.value + b.value), a, b, " + ", 2, false);
}
template <class Q> Term<Q> operator-(const Term<Q>& a, const Term<Q>& b) {
  return detail::join(Q(a.value - b.value), a, b, " - ", 2, true);
}
template <class Q> auto operator*(double k, const Term<Q>& a) { return detail::literal(k) * a; }
template <class Q> auto operator/(const Term<Q>& a, double k) { return a / detail::literal(k); }

// The smaller, the larger, the whole number above and below: of quantities and of terms alike.
template <class Q> Q lesser(Q a, Q b) { return b < a ? b : a; }
template <class Q> Q greater(Q a, Q b) { return a < b ? b : a; }
template <class Q> Term<Q> lesser(const Term<Q>& a, const Term<Q>& b) {
  return detail::call("min", lesser(a.value, b.value), a, b);
}
template <class Q> Term<Q> greater(const Term<Q>& a, const Term<Q>& b) {
  return detail::call("max", greater(a.value, b.value), a, b);
}
inline double round_up(double a) { return std::ceil(a); }
inline Term<double> round_up(const Term<double>& a) {
  return {std::ceil(a.value), "ceil(" + a.formula + ")", "ceil(" + a.numbers + ")", 0};
}
inline double round_down(double a) { return std::floor(a); }
inline Term<double> round_down(const Term<double>& a) {
  return {std::floor(a.value), "floor(" + a.formula + ")", "floor(" + a.numbers + ")", 0};
}

// The fact, or `otherwise` where the device has none.
template <class Q, class T> auto fact_or(const Gpu& gpu, const Key<Q>& key, Q otherwise, T& trace) {
  return gpu.record(key.path) != nullptr ? trace.fact(gpu, key) : trace.number(otherwise);
}

// The quantity in a term of either trace.
template <class Q> const Q& value_of(const Q& plain) { return plain; }
template <class Q> const Q& value_of(const Term<Q>& term) { return term.value; }

} // namespace perfmodel
