// A mix of instructions as text: "ffma:8,iadd:4,rcp:1".
#pragma once

#include "instruction_class.hpp"

#include <string_view>
#include <vector>

namespace perfmodel {

struct MixPart {
  const InstructionClass* instruction = nullptr;
  double count = 0; // of one warp; whole and above zero
};

// A class without a count stands once. Throws InputError: an empty mix, an unknown class or one named twice,
// a count that is not a whole number above zero. The sentence begins with `option`.
std::vector<MixPart> parse_mix(std::string_view option, std::string_view text);

} // namespace perfmodel
