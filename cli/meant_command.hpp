// What is meant by a word that stands where a command is expected, and is none.
#pragma once

#include "context.hpp"

#include <string>

namespace perfmodel::cli {

// "softmax is a template: 'perfmodel kernel softmax --hw h200' ...", of templates, GPUs, what others call
// commands, and terms that are explained; "" of anything else.
std::string meant_command(Context& context, const std::string& word);

} // namespace perfmodel::cli
