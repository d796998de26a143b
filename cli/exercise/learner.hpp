// What is said to a learner who predicted an answer.
#pragma once

#include "question.hpp"

#include <iosfwd>
#include <string>

namespace perfmodel::cli {

// Within this share of the answer a prediction is right; within a factor of two it is near.
inline constexpr double right_within = 0.1, near_within = 2;

// "Right: 640 threads; yours, 650 threads, is 1.56 % above."
std::string judged(const Question& question, double prediction);

// The number in what the learner typed: with or without its unit. Throws InputError saying what was expected.
double prediction_in(const std::string& typed, const Question& question);

// Asks for a prediction until one can be read, and judges it; an empty line, or the end of `in`, stands for
// none.
void ask_learner(std::istream& in, std::ostream& out, const Question& question);

} // namespace perfmodel::cli
