// What a rank does with a vector that it has received: the same code where the rate of adding is found and
// where a sum is formed.
#pragma once

#include <cstddef>

namespace perfmodel::messages {

void add(float* sum, const float* more, std::size_t n);

} // namespace perfmodel::messages
