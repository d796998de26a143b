// What an exercise's inputs are in one question: drawn values, and the words that say them.
#pragma once

#include "seeded.hpp"

#include "hwdb/exercises/exercise_file.hpp"
#include "models/core/gpu.hpp"
#include "models/core/model.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

struct DrawnValue {
  std::string name; // of an option, or of a key of the asked row
  bool is_option;
  std::string text; // as the command line takes it
  Value value;
  Unit unit;
  std::string words; // "" for a number, which is formatted with its unit
};

// Throws InputError: a value that the option does not take.
std::vector<DrawnValue> drawn_values(const Model& model, const hwdb::Exercise& exercise, Seeded& seeded);

// What a name in braces is: a number with its unit, or words.
struct Said {
  double number = absent;
  Unit unit;
  std::string words;
};
using LookUp = std::function<std::optional<Said>(std::string_view name)>;

// The text with every {name} replaced; {name:blocks} counts them: "1 block", "2 blocks". Throws InputError
// naming what `look_up` does not know.
std::string filled_in(const std::string& text, const LookUp& look_up);

// The text with "i" for "1 x i", and without "+ 0": numbers that were drawn and say nothing.
std::string plain_terms(std::string text);

// {gpu}, what was drawn, the GPU's facts and costs.
std::optional<Said> look_up_drawn(std::string_view name, const std::vector<DrawnValue>& drawn,
                                  const Gpu* gpu);

} // namespace perfmodel::cli
