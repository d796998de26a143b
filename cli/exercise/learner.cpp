#include "learner.hpp"

#include "cli/expected_unit.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/utf8.hpp"

#include <fmt/format.h>

#include <cmath>
#include <istream>
#include <ostream>

namespace perfmodel::cli {

std::string judged(const Question& question, double prediction) {
  const double answer = question.answer;
  const std::string yours = format_quantity(prediction, question.unit);
  if (prediction == answer) return fmt::format("Right: {}.", answer_text(question));
  // A factor between the two says nothing where one is 0 or less.
  if (answer <= 0 || prediction <= 0)
    return fmt::format("Not yet: {}, not {}.", answer_text(question), yours);
  const double factor = prediction / answer;
  const double off = std::abs(factor - 1);
  const std::string by = format_quantity(off, {"fraction", {}}, Prefix::si, 3);
  const char* side = factor > 1 ? "above" : "below";
  if (off <= right_within + 1e-12)
    return fmt::format("Right: {}; yours, {}, is {} {}.", answer_text(question), yours, by, side);
  const double times = factor > 1 ? factor : 1 / factor;
  if (times <= near_within + 1e-12)
    return fmt::format("Near: {}; yours, {}, is {} {}.", answer_text(question), yours, by, side);
  return fmt::format("Not yet: {}; yours, {}, is {} times too {}.", answer_text(question), yours,
                     format_quantity(times, {}, Prefix::none, 3), factor > 1 ? "large" : "small");
}

double prediction_in(const std::string& typed, const Question& question) {
  const std::string text(trimmed(typed));
  const std::string& unit = question.unit.symbol;
  const std::size_t word_at =
      text.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/%") + 1;
  const std::string word = text.substr(word_at);
  // The prompt asks for per cent, and what stands there without a unit is in that.
  if (unit == "fraction" && word.empty()) return parse_quantity_as(text + "%", question.unit);
  // Counts have no dimension: 80 warps would be taken for 80 threads.
  const bool counts = unit.size() > 2 && unit != "fraction" && question.unit.dimension == Dimension{};
  if (counts && word.size() > 2 && unit.rfind(word, 0) != 0 && word.rfind(unit, 0) != 0)
    throw InputError(fmt::format("{} are asked for, not {}", unit, word));
  return in_unit(question.unit, [&] { return parse_quantity_as(text, question.unit); });
}

void ask_learner(std::istream& in, std::ostream& out, const Question& question) {
  const std::string unit = question.unit.symbol == "fraction" ? "%" : question.unit.symbol;
  while (true) {
    out << (unit.empty() ? "your prediction: " : fmt::format("your prediction [{}]: ", unit)) << std::flush;
    std::string typed;
    if (!std::getline(in, typed) || trimmed(typed).empty()) {
      if (!in) out << "\n";
      return;
    }
    try {
      out << judged(question, prediction_in(typed, question)) << "\n";
      return;
    } catch (const InputError& e) {
      out << printable(e.what()) << "\n";
    }
  }
}

} // namespace perfmodel::cli
