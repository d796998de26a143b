# cmake -DROOT=<source folder> -DINTO=<file> -P sources_stamp.cmake writes a stamp of all sources that a prediction
# comes from: those of models/ and hwdb/, what of hwdb/ is compiled in, and what sets a GPU together.
file(GLOB_RECURSE sources RELATIVE "${ROOT}" "${ROOT}/models/*.cpp" "${ROOT}/models/*.hpp" "${ROOT}/models/*.cmake")
file(GLOB_RECURSE compiled_in RELATIVE "${ROOT}" "${ROOT}/hwdb/facts/*" "${ROOT}/hwdb/opcodes/*" "${ROOT}/hwdb/kernels/*")
file(GLOB readers RELATIVE "${ROOT}" "${ROOT}/hwdb/*.cpp" "${ROOT}/hwdb/*.hpp" "${ROOT}/cli/context.cpp")
list(APPEND sources ${compiled_in} ${readers})
list(SORT sources)
set(all "")
foreach(source ${sources})
  file(SHA256 "${ROOT}/${source}" hash)
  string(APPEND all "${source} ${hash}\n")
endforeach()
string(SHA256 stamp "${all}")
string(SUBSTRING "${stamp}" 0 16 stamp)
file(WRITE "${INTO}" "// Made of the sources of models/ and hwdb/ by hwdb/sources_stamp.cmake.
#include \"hwdb/kept_predictions.hpp\"

namespace perfmodel::hwdb {
std::string_view sources_stamp() { return \"${stamp}\"; }
} // namespace perfmodel::hwdb
")
