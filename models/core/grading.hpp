// The grade of a row: the worst grade of an estimate that it is sensitive to. All estimates of one grade are
// moved to the low, then to the high end of their ranges, and the model is asked again: a row counts as
// resting on that grade where one of its numbers moves by more than 2 %. Estimates whose moves cancel are not
// seen.
#pragma once

#include "estimate.hpp"
#include "rows.hpp"

#include <functional>
#include <vector>

namespace perfmodel::detail {

// A grade for each row of each table.
using RowGrades = std::vector<std::vector<Grade>>;

RowGrades all_of(const std::vector<Rows>& tables, Grade grade);

// `read`: the grades of the estimates that went into `tables`; `ask(shift)`: the same tables with other
// values of them, which last until the next call, or InputError where there is no answer with such costs.
// Nothing is asked where all costs are known; then no row has a grade here.
RowGrades grades_of(const std::vector<Rows>& tables, const Grades& read,
                    const std::function<std::vector<Rows>(const Shift&)>& ask);

} // namespace perfmodel::detail
