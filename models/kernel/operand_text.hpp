// An operand of an instruction from its text.
#pragma once

#include "instruction.hpp"

#include <string_view>
#include <vector>

namespace perfmodel {

// Splits "R2, c[0x0][0x210], {5,4}" at its outer commas, without blanks around.
std::vector<std::string_view> split_operands(std::string_view text);

// Throws InputError: it is none, named as it is written.
CodeOperand operand_from(std::string_view text);

} // namespace perfmodel
