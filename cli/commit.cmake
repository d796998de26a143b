# The revision that result files name, "unknown" outside a checkout, as a header. Asked for at each build, and written
# where it is another one: commits come between two builds, and a run is that of the tree that was built.
#   cmake -DFROM=FOLDER -DINTO=FILE -P cli/commit.cmake
cmake_policy(VERSION 3.25)

execute_process(COMMAND git -C ${FROM} describe --always --dirty
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${INTO} @ONLY CONTENT "// Made by cli/commit.cmake.
#pragma once

namespace perfmodel::cli {
inline constexpr const char* commit_of_build = \"@commit@\";
} // namespace perfmodel::cli
")
