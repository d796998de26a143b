// The whole program as a function, so that tests can call it.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace perfmodel::cli {

// 0 done; 1 a comparison is out of tolerance; 2 the input is wrong; 3 the machine cannot do it. Never throws.
int run(std::vector<std::string> arguments, std::ostream& out, std::ostream& err);

} // namespace perfmodel::cli
