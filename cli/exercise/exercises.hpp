// The exercises of a model as they can be asked.
#pragma once

#include "cli/context.hpp"
#include "hwdb/exercises/exercise_file.hpp"

#include <string>
#include <vector>

namespace perfmodel::cli {

// What stands in the database, and for an option that takes a file the file's text in place of its name,
// which becomes its words. Throws InputError.
std::vector<hwdb::Exercise> exercises_to_ask(Context& context, const std::string& model);

} // namespace perfmodel::cli
