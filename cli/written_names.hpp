// Kernels by the names that people write, where a person reads: the machine code's are for programs.
#pragma once

#include "models/core/result.hpp"

namespace perfmodel::cli {

// Mangled names in columns called "kernel" become what the source says: the function alone where that tells
// all of them apart, else with its template arguments, "axpy<float, 4>"; else they stay.
void name_kernels_as_written(Result& result);

// For programs: a piece of a mangled name that --kernel gave, or a template, becomes the whole name where one
// alone has it, so that the tables of an answer can be joined by it.
void name_kernels_alike(Result& result);

} // namespace perfmodel::cli
