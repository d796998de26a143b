// How a file begins that is none of those that could be read.
#pragma once

#include <string>
#include <string_view>

namespace perfmodel::cli {

// ", but begins with 'name,time'", of the first line that is not blank, or ": it is empty".
std::string how_it_begins(std::string_view text);

} // namespace perfmodel::cli
