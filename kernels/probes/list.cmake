# The list of all probes, for registry.cpp: each source says `extern const Probe NAME{.name = "name", .order = 10, ...`.
# No registration at run time: the linker leaves out what nobody refers to of a static library.
# cmake -DFROM=<folder> "-DSOURCES=<files in it>" -DINTO=<header> -P list.cmake
cmake_policy(VERSION 3.25)

set(declarations "")
set(addresses "")
foreach(source ${SOURCES})
  file(READ "${FROM}/${source}" text)
  # Not split into a list of lines: brackets and semicolons would join and break them.
  while(text MATCHES "\n((extern )?(const )?Probe ([a-z0-9_]+){([^;]*);)")
    set(extern "${CMAKE_MATCH_2}${CMAKE_MATCH_3}")
    set(name ${CMAKE_MATCH_4})
    set(body "${CMAKE_MATCH_5}")
    string(REPLACE "${CMAKE_MATCH_1}" "" text "${text}")
    if(NOT extern STREQUAL "extern const ")
      message(FATAL_ERROR " ${source}: the probe ${name} is to begin with 'extern const Probe', or nobody else sees it")
    elseif(NOT body MATCHES "^[ \n]*\\.name = \"[a-z0-9-]+\",[ \n]*\\.order = ([1-9][0-9]*),")
      message(FATAL_ERROR " ${source}: the probe ${name} is to begin with its .name and its .order")
    elseif(DEFINED at_${CMAKE_MATCH_1})
      message(FATAL_ERROR " ${source}: the probes ${at_${CMAKE_MATCH_1}} and ${name} have the same order, ${CMAKE_MATCH_1}")
    endif()
    set(at_${CMAKE_MATCH_1} ${name})
    string(APPEND declarations "extern const Probe ${name};\n")
    string(APPEND addresses "    &${name},\n")
  endwhile()
endforeach()

file(WRITE "${INTO}" "// Made of the sources of kernels/probes/ by kernels/probes/list.cmake.
#pragma once

#include \"kernels/core/probe.hpp\"

namespace perfmodel::kernels {

${declarations}
inline constexpr const Probe* every_probe[] = {
${addresses}};

} // namespace perfmodel::kernels
")
