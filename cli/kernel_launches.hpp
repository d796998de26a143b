// What goes with `kernel --launches FILE`, and what is said of the file.
#pragma once

#include "models/core/result.hpp"

#include <map>
#include <string>

namespace perfmodel::cli {

// `inputs` are the options' texts by name. Throws InputError where the file says what another option says,
// too.
void check_launches_alone(const std::map<std::string, std::string>& inputs);

// What the program that was captured ran on, which kernels are not in the listing, and what of its launches
// the file lacks. `text` is that of CapturedLaunches.
void note_launches(Result& result, const std::string& text);

} // namespace perfmodel::cli
