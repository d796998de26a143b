// How --explain gets its steps: a model is a template over a trace, and computes with the trace's terms.
// Plain's terms are the quantities themselves, so a sweep pays nothing. Recorder's terms carry the text of
// the expression that made them, so a formula is written once: in the code that computes.
#pragma once

#include "gpu.hpp"
#include "result.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace perfmodel {

// What an input is taken to be that nobody gave and no GPU has a fact of: a range with its reason, and the
// option that gives it.
template <class Q> struct Assumption {
  std::string_view option; // "latency"
  Q value, low, high;
  std::string_view why;
  Q shifted(const Shift& shift) const {
    if (shift.draw > 0)
      return Q(
          value_at(place_in_range(option, shift.draw), base_value(low), base_value(value), base_value(high)));
    return shift.grade != Grade::assumed ? value : shift.high ? high : low;
  }
};

struct Plain {
  static constexpr bool records = false;
  Shift shift;
  Grades grades; // of the estimates that were read

  // What something costs on this GPU: a fact, or else an estimate. Throws InputError where there is neither.
  template <class Q> Q cost(const Gpu& gpu, const Key<Q>& key) {
    const Gpu::Cost found = gpu.cost(key);
    if (found.grade != Grade::known) grades.add(found.grade);
    if (shift.draw > 0) grades.add_cost(key.index);
    return Q(found.shifted(shift, key.path));
  }
  template <class Q> Q fact(const Gpu& gpu, const Key<Q>& key) const { return gpu.at(key).value; }
  template <class Q> Q input(std::string_view, Q value) const { return value; }
  template <class Q> Q assume(std::string_view, const Assumption<Q>& a) {
    grades.add(Grade::assumed);
    return a.shifted(shift);
  }
  template <class Q> Q number(Q value) const { return value; }
  template <class Q> Q define(std::string_view, std::string_view, Q value) const { return value; }
  void say(std::string_view, std::string_view, std::string_view) const {}
  void fitted(std::string_view, std::string_view, double, std::string_view) const {}
};

// The text that made a quantity: its formula in symbols and in numbers. `rank`: 0 an atom, 1 a product, 2 a
// sum (for parentheses).
struct TermText {
  std::string formula, numbers;
  int rank = 0;
};

template <class Q> struct Term : TermText {
  Q value{};
  Term() = default;
  Term(Q quantity, TermText text) : TermText(std::move(text)), value(quantity) {}
};

struct Recorder {
  static constexpr bool records = true;
  Derivation derivation;
  Shift shift;
  Grades grades;

  template <class Q> Term<Q> cost(const Gpu& gpu, const Key<Q>& key) {
    const Gpu::Cost found = gpu.cost(key);
    if (found.grade == Grade::known) return fact(gpu, key);
    grades.add(found.grade);
    return {Q(found.value), add_estimate(key.path, key.meaning, found, unit_of<Q>())};
  }

  template <class Q> Term<Q> fact(const Gpu& gpu, const Key<Q>& key) {
    const Fact<Q> f = gpu.at(key);
    return {f.value, add_fact(key.path, key.meaning, base_value(f.value), unit_of<Q>(), *f.record)};
  }
  template <class Q> Term<Q> input(std::string_view symbol, Q value) {
    return {value, add_input(symbol, base_value(value), unit_of<Q>())};
  }
  template <class Q> Term<Q> assume(std::string_view symbol, const Assumption<Q>& a) {
    grades.add(Grade::assumed);
    return {a.value, add_assumption(symbol, a.option, base_value(a.value), base_value(a.low),
                                    base_value(a.high), unit_of<Q>(), a.why)};
  }
  // A number of the formula itself, such as the 2 flop of an FMA.
  template <class Q> Term<Q> number(Q value) const {
    return {value, number_text(base_value(value), unit_of<Q>())};
  }
  template <class Q> Term<Q> define(std::string_view symbol, std::string_view meaning, const Term<Q>& term) {
    return {term.value, add_definition(symbol, meaning, term, base_value(term.value), unit_of<Q>())};
  }
  // A constant that was chosen to match measurements: it is counted in every answer that used it.
  void fitted(std::string_view symbol, std::string_view meaning, double value, std::string_view by);
  void say(std::string_view symbol, std::string_view meaning, std::string_view text);

  // What the templates above are made of: compiled once, not for every dimension.
  static TermText number_text(double value, const Unit& unit);

private:
  TermText add_fact(std::string_view symbol, std::string_view meaning, double value, Unit unit,
                    const FactRecord& record);
  TermText add_estimate(std::string_view symbol, std::string_view meaning, const Gpu::Cost& cost, Unit unit);
  TermText add_assumption(std::string_view symbol, std::string_view option, double value, double low,
                          double high, Unit unit, std::string_view why);
  TermText add_input(std::string_view symbol, double value, Unit unit);
  TermText add_definition(std::string_view symbol, std::string_view meaning, const TermText& text,
                          double value, Unit unit);
  // A compiler evaluates the operands of a product in any order it likes; their steps, which come just before
  // it, stand in the order of the formula.
  void order_operands(const std::string& formula);
  TermText atom(Step step);
};

namespace detail {
// "a x b", with the operands in parentheses where the sign binds closer than they do.
TermText join(const TermText& a, const TermText& b, const char* sign, int rank, bool wrap_right);
TermText call(const char* name, const TermText& a);
TermText call(const char* name, const TermText& a, const TermText& b);
inline Term<double> literal(double k) { return {k, Recorder::number_text(k, {})}; }
template <class Q> Term<Q> term(Q value, TermText text) { return {value, std::move(text)}; }
} // namespace detail

template <class A, class B> auto operator*(const Term<A>& a, const Term<B>& b) {
  return detail::term(a.value * b.value, detail::join(a, b, " x ", 1, false));
}
template <class A, class B> auto operator/(const Term<A>& a, const Term<B>& b) {
  return detail::term(a.value / b.value, detail::join(a, b, " / ", 1, true));
}
template <class Q> Term<Q> operator+(const Term<Q>& a, const Term<Q>& b) {
  return {Q(a.value + b.value), detail::join(a, b, " + ", 2, false)};
}
template <class Q> Term<Q> operator-(const Term<Q>& a, const Term<Q>& b) {
  return {Q(a.value - b.value), detail::join(a, b, " - ", 2, true)};
}
template <class Q> auto operator*(double k, const Term<Q>& a) { return detail::literal(k) * a; }
template <class Q> auto operator/(const Term<Q>& a, double k) { return a / detail::literal(k); }

// The smaller, the larger, the whole number above and below: of quantities and of terms alike.
template <class Q> Q lesser(Q a, Q b) { return b < a ? b : a; }
template <class Q> Q greater(Q a, Q b) { return a < b ? b : a; }
template <class Q> Term<Q> lesser(const Term<Q>& a, const Term<Q>& b) {
  return {lesser(a.value, b.value), detail::call("min", a, b)};
}
template <class Q> Term<Q> greater(const Term<Q>& a, const Term<Q>& b) {
  return {greater(a.value, b.value), detail::call("max", a, b)};
}
inline double round_up(double a) { return std::ceil(a); }
inline Term<double> round_up(const Term<double>& a) { return {std::ceil(a.value), detail::call("ceil", a)}; }
inline double round_down(double a) { return std::floor(a); }
inline Term<double> round_down(const Term<double>& a) {
  return {std::floor(a.value), detail::call("floor", a)};
}

// For a part of an answer that is not explained, but rests on the same costs: what it reads counts for the
// trace's grades when it is done.
template <class T> class Unexplained {
public:
  explicit Unexplained(T& trace) : trace_(trace) { plain.shift = trace.shift; }
  Unexplained(const Unexplained&) = delete;
  Unexplained& operator=(const Unexplained&) = delete;
  ~Unexplained() { trace_.grades.add(plain.grades); }
  Plain plain;

private:
  T& trace_;
};

// The quantity in a term of either trace.
template <class Q> const Q& value_of(const Q& plain) { return plain; }
template <class Q> const Q& value_of(const Term<Q>& term) { return term.value; }

} // namespace perfmodel
