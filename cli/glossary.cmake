# The glossary, docs/glossary.md, as it stands, so that an installed program has it too.
#   cmake -DFROM=docs/glossary.md -DINTO=FILE -P cli/glossary.cmake
cmake_policy(VERSION 3.25)

file(READ "${FROM}" text)
file(WRITE "${INTO}" "// Made of docs/glossary.md.
#include \"cli/glossary.hpp\"

namespace perfmodel::cli {
std::string_view glossary_page() { return R\"page(${text})page\"; }
} // namespace perfmodel::cli
")
