// Which GPUs a word of --hw means: one by its name, or all for which something holds.
#pragma once

#include "context.hpp"

#include <string>
#include <vector>

namespace perfmodel::cli {

// Whether the word is "all" or has a comparison: "cc>=8.0", "dram.size>=40GiB&cc<10".
bool is_choice(const std::string& word);
// Whether one of the words between commas is such.
bool has_choice(const std::string& words);

// The names of the GPUs of the database that are meant, in its order. Facts are those of the GPU's files,
// with units; `cc` is the compute capability, which a GPU of another maker has none of: no comparison holds.
// Throws InputError: an unknown fact, a wrong unit, or that no GPU is left.
std::vector<std::string> chosen_gpus(Context& context, const std::string& word);

} // namespace perfmodel::cli
