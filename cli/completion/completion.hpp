// What may stand next on a command line that is being typed.
#pragma once

#include "cli/context.hpp"

#include <string>
#include <vector>

namespace perfmodel::cli {

struct Completion {
  std::string word, meaning; // the whole word, with what is typed of it; "" where nothing is to be said of it
};

// The words that the last of `typed` may become, which may be "": commands and options of `program`, and
// names of what an option takes. None where a shell's own completion of files is as good. `typed` is what
// stands behind the program's name. Throws InputError where the database cannot be read.
std::vector<Completion> completions(Context& context, const CLI::App& program,
                                    const std::vector<std::string>& typed);

} // namespace perfmodel::cli
