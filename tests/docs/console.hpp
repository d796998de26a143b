// What a line of a console block prints in a shell.
#pragma once

#include "page.hpp"

namespace perfmodel::docs {

struct Printed {
  int code = 0;
  Lines lines; // of stdout; where the input is wrong (code 2), of stderr
};

// `./perfmodel ARGUMENTS`, run in process, and piped through any of
//   head -n N, tail -n N, grep [-v] [-E] [-m N] [-A N] 'PATTERN', sed -n '/FROM/,/TO/p'
// A command that stands in several blocks, cut elsewhere, is run once, unless it writes a file.
Printed printed_by(const std::string& line);

} // namespace perfmodel::docs
