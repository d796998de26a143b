// Files that say what a kernel's pointers point to: --arg cols=@cols.npy.
#pragma once

#include "models/core/result.hpp"

#include <string>

namespace perfmodel::cli {

// The arguments with each "@FILE" opened, for the model to find by its name, and its size in front of it
// where none is given. A .npy file counts without its header. Throws InputError: a file that cannot be read.
std::string with_memory_files(const std::string& arguments);

// Of arguments that such a text made, after the kernel ran: a note where a .npy file's elements are wider
// than every load from it, as those of an int64 array where the kernel takes int32.
void note_wide_elements(Result& result, const std::string& arguments);

} // namespace perfmodel::cli
