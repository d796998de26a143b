// A kernel that everybody writes, with its launch as a rule: how many blocks, which arrays and which numbers
// it takes follows from a few sizes, such as the rows and columns of a matrix.
#pragma once

#include "models/core/bindings.hpp"

#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

struct KernelTemplate {
  std::string name, title;
  std::string listing; // machine code: FAMILY of hwdb/kernels/FAMILY/9.0.sass
  Bindings sizes;      // what they are unless something else is said
  Bindings most;       // the largest that the kernel's own numbers, which are ints, can count; of some
  // Options of the model `kernel`, with expressions of the sizes in braces: {"grid", "{(n + 255) / 256}"}.
  std::vector<std::pair<std::string, std::string>> inputs;
};

// The sizes where `let` gives some of them. Throws InputError: one that the template does not have,
// below 1, or above the most.
Bindings sizes_of(const KernelTemplate& of, const Bindings& let);

// The options with every expression's value in its place. Throws InputError: what is wrong in an expression.
std::vector<std::pair<std::string, std::string>> inputs_of(const KernelTemplate& of, const Bindings& sizes);

} // namespace perfmodel
