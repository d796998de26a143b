#include "option_groups.hpp"

#include <algorithm>
#include <array>

namespace perfmodel::cli::option_group {

const std::string& of_input(std::string_view name) {
  constexpr std::array launch_inputs = std::to_array<std::string_view>(
      {"grid", "block", "blocks", "threads", "arg", "shared", "registers", "threads-per-block", "launches"});
  return std::find(launch_inputs.begin(), launch_inputs.end(), name) == launch_inputs.end() ? question
                                                                                            : launch;
}

} // namespace perfmodel::cli::option_group
