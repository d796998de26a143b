// Under which heading an option stands in a command's help.
#pragma once

#include <string>
#include <string_view>

namespace perfmodel::cli::option_group {

inline const std::string gpu = "Which GPU", question = "What is asked", launch = "The launch",
                         reasons = "How, and how sure", measured = "Measurements beside it",
                         answer = "The answer", picture = "A picture of it", program = "The program";

// Of a model's input: the launch's, which users know from <<<grid, block, shared>>>, or the model's own.
const std::string& of_input(std::string_view name);

} // namespace perfmodel::cli::option_group
