// A kernel that everybody writes, with its launch as a rule: how many blocks, which arrays and which numbers
// it takes follows from a few sizes, such as the rows and columns of a matrix.
#pragma once

#include "models/core/bindings.hpp"
#include "models/core/shape.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

struct KernelTemplate {
  std::string name, title;
  std::string listing; // machine code: FAMILY of hwdb/kernels/FAMILY/9.0.sass
  Bindings sizes;      // what they are unless something else is said
  Bindings most;       // the largest that the kernel's own numbers, which are ints, can count; of some
  // Options of the model `kernel`, with expressions of the sizes in braces, and of the block's sides dx, dy
  // and dz in those but the block: {"grid", "{(n + dx - 1) / dx}"}.
  std::vector<std::pair<std::string, std::string>> inputs;
  std::string blocks; // an expression of dx, dy and dz: which it takes; "": its own is a constant of its code
  bool strides = false; // threads stride over the grid, so that any grid covers the sizes
};

// The sizes where `let` gives some of them. Throws InputError: one that the template does not have,
// below 1, or above the most.
Bindings sizes_of(const KernelTemplate& of, const Bindings& let);

// The options with every expression's value in its place, for blocks of that shape; of the template's own
// where none is given. Throws InputError: a block that it does not take, what is wrong in an expression.
std::vector<std::pair<std::string, std::string>> inputs_of(const KernelTemplate& of, const Bindings& sizes,
                                                           std::optional<Shape> block = std::nullopt);

// Whether a grid of that shape has a thread for everything that blocks of this shape are to do; `needed` is
// the template's own grid for them.
bool covers(const KernelTemplate& of, Shape grid, Shape needed);

} // namespace perfmodel
