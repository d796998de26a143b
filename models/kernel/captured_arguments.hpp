// A launch that was captured, as the simulation takes one: its allocations at addresses that are made up.
#pragma once

#include "captured_launches.hpp"
#include "launch_arguments.hpp"
#include "listing.hpp"

#include <string>

namespace perfmodel {

// With the contents of memory that were captured in `memory`, a kept file; "": without. Throws InputError:
// its arguments are not known, or the file does not hold what it should.
KernelLaunch launch_of(const CapturedLaunch& captured, const std::string& memory = "");

// The code with what the driver said of it: registers, shared memory, and where each argument lies. That
// goes before what comments of the listing say.
KernelCode with_captured(KernelCode code, const CapturedLaunch& captured);

// As --arg takes them, but for the names: "32MiB,32MiB+256,4096,1.5"; a struct as its size, "48 bytes".
std::string arguments_text(const CapturedLaunch& captured);

} // namespace perfmodel
