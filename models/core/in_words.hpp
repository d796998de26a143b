// Numbers in the sentences of a verdict, in the digits that the tables print.
#pragma once

#include "quantity_text.hpp"

#include <string>
#include <string_view>

namespace perfmodel {

// "44.35 Gflop/s", "108.9 kB", "4.5": of a plain number, as it is.
template <class Q> std::string in_words(Q q) { return format_quantity(base_value(q), unit_of<Q>()); }
// A rate of the precision or unit `of`: of integers in op.
template <class Q> std::string in_words(Q q, std::string_view of) {
  return format_quantity(base_value(q), counts_integers(of) ? as_operations(unit_of<Q>()) : unit_of<Q>());
}
// A share of one: "3.33 %".
inline std::string in_percent(double fraction) { return format_quantity(fraction, {"fraction", {}}); }
// "27 231 threads", "1 block".
inline std::string in_words(double number, const char* things) {
  return format_quantity(number, {things, {}});
}

// What binds, without what is said of it after a comma, semicolon or colon.
std::string_view binding(std::string_view bound);
// A text that a user gave, short enough for a sentence and without what a terminal obeys.
std::string shortened(std::string_view text, std::size_t most = 40);

// A column's name with blanks, "arch line"; a fact's path stays what --set takes, "energy.bf16_tensor".
std::string spaced(std::string_view name);

} // namespace perfmodel
