// GPUs by the names that people have at hand.
#pragma once

#include "context.hpp"

#include <string>

namespace perfmodel::cli {

// The GPU that is called so: by the database (a name, an alias, a YAML file), or by its driver ("NVIDIA H100
// 80GB HBM3"). Throws InputError: nothing is called so, with what is near; or several cards are.
Gpu gpu_named(Context& context, const std::string& name);

// The one that a driver calls so, among those of this compute capability ("" for any); "" where there is none
// or several are called so.
std::string gpu_of_driver(Context& context, const std::string& title, const std::string& cc = "");

} // namespace perfmodel::cli
