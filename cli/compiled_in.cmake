# A file as it stands, as a function of the program, so that an installed one has it too.
#   cmake -DFROM=docs/glossary.md -DINTO=FILE -DFUNCTION=glossary_page -P cli/compiled_in.cmake
cmake_policy(VERSION 3.25)

get_filename_component(name "${FROM}" NAME)
file(READ "${FROM}" text)
file(WRITE "${INTO}" "// Made of ${name}.
#include <string_view>

namespace perfmodel::cli {
std::string_view ${FUNCTION}();
std::string_view ${FUNCTION}() { return R\"page(${text})page\"; }
} // namespace perfmodel::cli
")
