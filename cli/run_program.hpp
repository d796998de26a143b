// Another program, run in the place of this one: it has the terminal, the input and the output.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace perfmodel::cli {

// Runs words[0], found as a shell finds it, with these environment variables beside ours. Signals that are
// sent to this process while it waits go to the program. Its exit code, or 128 + n where signal n ended it.
// Throws InputError where it cannot be started.
int run_program(const std::vector<std::string>& words, const std::map<std::string, std::string>& variables);

} // namespace perfmodel::cli
