# The table of opcodes, made of hwdb/opcodes/*.yaml: one line each, `OPCODE.WORD: class`.
# cmake -DFROM=hwdb/opcodes -DINTO=FILE -P models/simulate/opcodes.cmake
cmake_policy(VERSION 3.25)

file(GLOB files "${FROM}/*.yaml")
set(rows "")
foreach(file IN LISTS files)
  cmake_path(GET file STEM LAST_ONLY since)
  file(STRINGS "${file}" lines)
  foreach(line IN LISTS lines)
    if(line MATCHES "^(#.*)?$")
      continue()
    endif()
    if(NOT line MATCHES "^([A-Z0-9]+)((\\.[A-Z0-9_]+)*): ([a-z0-9_]+)$")
      message(FATAL_ERROR " ${file}: '${line}' is no 'OPCODE.WORD: class'")
    endif()
    string(APPEND rows "    {${since}, \"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\", \"${CMAKE_MATCH_4}\"},\n")
  endforeach()
endforeach()
file(CONFIGURE OUTPUT "${INTO}" CONTENT "// Made of hwdb/opcodes.
#include \"models/simulate/opcode_class.hpp\"

namespace perfmodel {

std::span<const OpcodeRow> opcode_rows() {
  static constexpr OpcodeRow all[] = {
${rows}  };
  return all;
}

} // namespace perfmodel
")
