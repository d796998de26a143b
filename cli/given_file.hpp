// The file that an option takes, such as --program: a path, or the name of one that the database ships.
#pragma once

#include "context.hpp"
#include "models/core/model.hpp"

#include <string>
#include <vector>

namespace perfmodel::cli {

// Its text; of a node, which is YAML, what it says in the form that models read. A word with a '/' or a '.'
// is a path, any other a name: NAME.txt in the database's folder `option.shipped_in`. Throws InputError:
// unknown (with the nearest, and all there are), or what read_text says.
std::string given_text(Context& context, const Option& option, const std::string& word);

// The names that it takes in place of a path; of `kernel` also those of templates.
std::vector<std::string> given_names(Context& context, const Option& option);

} // namespace perfmodel::cli
