// The grade of a predicted row, and how a picture says it in words.
#pragma once

#include "chart.hpp"

#include "models/core/table.hpp"

#include <string>
#include <vector>

namespace perfmodel::plots {

// Of each row: its cell in the text column `grade`, known where there is no such column or another word in
// it.
std::vector<Grade> grades_of(const Table& table);

// "", "inherited cost", "assumed cost".
std::string grade_text(Grade grade);
// The same behind a tooltip: ", inherited cost".
std::string with_grade(std::string title, Grade grade);

// Says what is drawn half open, hatched or hollow, for each grade that is in the picture; nothing where all
// is known.
void add_grade_legend(Chart& chart);

} // namespace perfmodel::plots
