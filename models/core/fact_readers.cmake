# Which models read each fact, told by the sources. What a model can read is what its header mentions as facts::name,
# and all that it includes outside models/core/, headers and their sources; after `using namespace facts`, bare names.
# So a model is named that reads the fact for some question or on some GPU, and none that does is left out.
# cmake -DROOT=<source folder> -DGENERATED=<folder of fact_keys.hpp> -P fact_readers.cmake writes fact_readers.cpp
# and fact_readers.d, the files that it read.
cmake_policy(VERSION 3.25)

file(READ "${GENERATED}/fact_keys.hpp" text)
string(REGEX MATCHALL "> [A-Za-z0-9_]+{" keys "${text}")
list(TRANSFORM keys REPLACE "> (.*){" "\\1")
file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/models/*.hpp" "${ROOT}/models/*.cpp")
list(FILTER files EXCLUDE REGEX "^models/(core/|registry\\.cpp$)")

# next_<file>: where to go on from a file. mentions_<file>: the facts in it.
foreach(file ${files})
  file(READ "${ROOT}/${file}" text)
  string(REGEX REPLACE "//[^\n]*" "" code "${text}")
  cmake_path(GET file PARENT_PATH folder)
  set(headers "")
  string(REGEX MATCHALL "#include \"[^\"\n]+\"" lines "${code}")
  foreach(line ${lines})
    string(REGEX REPLACE ".*\"(.*)\"" "\\1" header "${line}")
    foreach(candidate "${folder}/${header}" "${header}")
      if(candidate IN_LIST files)
        list(APPEND headers "${candidate}")
        break()
      endif()
    endforeach()
  endforeach()
  list(APPEND next_${file} ${headers})
  # A source belongs to its header; one that has none of its name, to the first that it includes.
  if(file MATCHES "\\.cpp$")
    string(REGEX REPLACE "cpp$" "hpp" header "${file}")
    if(NOT header IN_LIST files)
      list(GET headers 0 header)
    endif()
    list(APPEND next_${header} "${file}")
  endif()

  string(REGEX MATCHALL "facts::[A-Za-z0-9_]+" mentions_${file} "${code}")
  list(TRANSFORM mentions_${file} REPLACE "facts::" "")
  if(code MATCHES "using namespace facts;")
    string(REGEX REPLACE "\"[^\"\n]*\"" "" code "${code}")
    string(REGEX MATCHALL "[A-Za-z_][A-Za-z0-9_]*" words "${code}")
    foreach(key ${keys})
      if(key IN_LIST words)
        list(APPEND mentions_${file} ${key})
      endif()
    endforeach()
  endif()
  list(REMOVE_DUPLICATES mentions_${file})
endforeach()

# The models in the order of the registry, by the name that their header gives the struct.
foreach(file ${files})
  file(READ "${ROOT}/${file}" text)
  if(text MATCHES "struct ([A-Za-z]+) {\n  static constexpr ModelInfo info *=? *{[ \n]*\\.name = \"([a-z-]+)\"")
    set(header_${CMAKE_MATCH_1} "${file}")
    set(name_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
  endif()
endforeach()
file(READ "${ROOT}/models/registry.cpp" text)
string(REGEX MATCHALL "erase<[A-Za-z]+>" models "${text}")
list(TRANSFORM models REPLACE "erase<(.*)>" "\\1")
foreach(model ${models})
  if(NOT DEFINED header_${model})
    message(FATAL_ERROR " models/registry.cpp: no header begins with 'struct ${model}', its ModelInfo and .name")
  endif()
  set(reached "${header_${model}}")
  set(ahead "${header_${model}}")
  while(ahead)
    list(POP_BACK ahead file)
    foreach(key ${mentions_${file}})
      if(NOT ";${readers_${key}};" MATCHES ";${name_${model}};")
        list(APPEND readers_${key} ${name_${model}})
      endif()
    endforeach()
    foreach(further ${next_${file}})
      if(NOT further IN_LIST reached)
        list(APPEND reached "${further}")
        list(APPEND ahead "${further}")
      endif()
    endforeach()
  endwhile()
endforeach()

set(table "")
foreach(key ${keys})
  list(JOIN readers_${key} ", " names)
  string(APPEND table "    \"${names}\", // ${key}\n")
endforeach()
file(WRITE "${GENERATED}/fact_readers.cpp" "// Made of the sources of models/ by models/core/fact_readers.cmake.
#include \"models/core/fact_readers.hpp\"

namespace perfmodel {
namespace {
// In the order of all_keys().
constexpr std::string_view readers[] = {
${table}};
} // namespace

std::string_view readers_of(const KeyInfo& key) {
  return readers[&key - all_keys().data()];
}

} // namespace perfmodel
")

list(APPEND files models/registry.cpp)
list(TRANSFORM files PREPEND "${ROOT}/")
list(TRANSFORM files REPLACE " " "\\\\ ")
list(JOIN files " \\\n  " files)
string(REPLACE " " "\\ " output "${GENERATED}/fact_readers.cpp")
file(WRITE "${GENERATED}/fact_readers.d" "${output}: ${files}\n")
