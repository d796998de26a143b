// The help of a command as a manual page.
#pragma once

#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace perfmodel::cli {

// In the macros of man(7): perfmodel(1) for no words, perfmodel-hw(1), with all commands of hw, for {"hw"}.
// Throws InputError where no command of `program` is called so, or where it has its page with the one above
// it.
std::string man_page(const CLI::App& program, const std::vector<std::string>& words,
                     const std::string& version);

} // namespace perfmodel::cli
