// Draws of the costs: in each of them every cost lies somewhere in its range, and an answer computed with all
// of them has a band. The draws are the same for every question, so what two answers share cancels when they
// are compared (common random numbers), on every machine.
#pragma once

#include <string_view>

namespace perfmodel {

inline constexpr int draws = 32;
// Of which so many show roughly how wide a band is, where many GPUs are asked.
inline constexpr int fewer_draws = 11;

// Where the cost of that name lies in draw 1 to `draws`, from 0 to 1: once in each of as many equal parts of
// its range, in an order that only its name decides (a Latin hypercube).
double place_in_range(std::string_view name, int draw);

// The value at a place: `low` at 5 %, `value` at 50 %, `high` at 95 %, straight in between. Nobody knows how
// far it goes beyond the ends, so they stand for that.
double value_at(double place, double low, double value, double high);

} // namespace perfmodel
