#pragma once

#include <string>

namespace perfmodel::cli {

// "10%" or "0.1" after `option`: how much a change may be. A number above 1 without % is meant in per cent,
// and taken for a share nothing would ever exceed it: throws InputError, as for what is no share.
double given_share(const char* option, const std::string& text);

} // namespace perfmodel::cli
