// All-reduce by messages between two ranks at a time, as models/parallel/all_reduce.hpp counts them.
#pragma once

#include "models/parallel/all_reduce.hpp"

#include <cstddef>
#include <vector>

namespace perfmodel::messages {

// Makes `own` of all ranks their sum. `room` is for what is received, as long. All ranks call it.
void sum_by(AllReduceAlgorithm algorithm, std::vector<float>& own, std::vector<float>& room);

} // namespace perfmodel::messages
