// What a shell has to read once so that it asks this program for completions.
#pragma once

#include <array>
#include <string_view>

namespace perfmodel::cli {

inline constexpr std::array<std::string_view, 3> completion_shells{"bash", "zsh", "fish"};

// Throws InputError for a name that is none of completion_shells.
std::string_view completion_script(std::string_view shell);

} // namespace perfmodel::cli
