// Which columns a sweep's chart shows: a model names its picture for the usual question, and a sweep of
// something else asks for another one.
#pragma once

#include "model.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

// The model's own x and y where x is swept, or where nothing is. Else the numeric input or fact with the most
// values is x; y stays if it depends on that, and is the first predicted column that does if not; the other
// swept input tells the lines apart. A model whose own x has several values without being swept (the rungs of
// a ladder) keeps it up to two values of a sweep. x is logarithmic where its values grow by one factor, a y
// that the model did not choose where it spans decades. An answer without the model's own x is drawn over a
// ladder of its own, the steps of a loop, or as bars.
ChartChoice chart_choice(const Model& model, const Request& request, const Result& result);

// The columns that `y` of a choice names: one, or several with commas between them, which share an axis.
std::vector<std::string> columns_named(std::string_view y);

// Another y, or several, in place of the one that was chosen: logarithmic where its numbers span decades.
void choose_y(ChartChoice& choice, const Result& result, std::string y);

} // namespace perfmodel
