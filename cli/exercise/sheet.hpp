// Questions and their solutions in words, for a screen and for a sheet of paper.
#pragma once

#include "question.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

// Of each question: what is asked and what is given; the worked solution; or both.
enum class Parts { questions, key, both };

inline constexpr std::array<std::string_view, 3> sheet_formats{"text", "markdown", "latex"};

struct Sheet {
  std::string title; // "Exercises: littles-law, m2090, seed 7"
  std::vector<Question> questions;
};

// For a screen of so many columns; questions of a sheet of one have no number.
std::string sheet_text(const Sheet& sheet, Parts parts, std::size_t columns);
std::string sheet_markdown(const Sheet& sheet, Parts parts);
// A whole document, for pdflatex without further packages.
std::string sheet_latex(const Sheet& sheet, Parts parts);

// What both have: "dram.latency = 800 cycle", with what it means.
struct GivenLine {
  std::string fact, meaning;
};
GivenLine given_line(const Step& step);

// "threads = ceil(in_flight / ilp)", "ceil(640 / 2)", "320", "threads per SM"; without the first two where
// the step has no formula, without the second where it says nothing else than the value.
struct SolutionLine {
  std::string symbol, formula, numbers, value, meaning;
};
SolutionLine solution_line(const Step& step);

} // namespace perfmodel::cli
