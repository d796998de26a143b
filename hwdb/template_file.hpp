// hwdb/templates/<name>.yaml: a kernel that everybody writes, with the rule of its launch.
#pragma once

#include "models/kernel/kernel_template.hpp"

#include <string>

namespace perfmodel::hwdb {

// `name` is the file's. Throws InputError: not YAML, a missing or unknown key, an option that `kernel` does
// not have, an expression that has no value at the template's own sizes; with file and line.
KernelTemplate parse_template(const std::string& text, const std::string& file, const std::string& name);

} // namespace perfmodel::hwdb
