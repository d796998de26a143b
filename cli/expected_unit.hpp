// What is expected of a quantity, where the user wrote none that can be read.
#pragma once

#include "models/core/error.hpp"
#include "models/core/units.hpp"

#include <string>

namespace perfmodel::cli {

// "'1h' has an unknown unit 'h'; a time such as 20ms is expected", and of what is no number, or is missing,
// the same in place of an example in another unit; other sentences as they are.
std::string with_expected_unit(const std::string& sentence, const Unit& unit);

// What `read` gives of a text that is a quantity in this unit; what it throws as an InputError says which
// unit is expected.
template <class Read> auto in_unit(const Unit& unit, Read read) {
  try {
    return read();
  } catch (const InputError& e) {
    throw InputError(with_expected_unit(e.what(), unit));
  }
}

} // namespace perfmodel::cli
