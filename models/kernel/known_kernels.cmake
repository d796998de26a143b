# The listings of the kernels that the tool knows, hwdb/kernels/FAMILY/CAPABILITY.sass, as they stand, each with the PTX
# beside it, where there is some.
#   cmake -DFROM=hwdb/kernels -DINTO=FILE -P models/kernel/known_kernels.cmake
cmake_policy(VERSION 3.25)

file(GLOB files "${FROM}/*/*.sass")
file(WRITE "${INTO}.part" "// Made of hwdb/kernels.
#include \"models/kernel/known_kernels.hpp\"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \"-Woverlength-strings\" // a listing is longer than the 64 KiB that the standard promises
namespace perfmodel {

std::span<const KnownListing> known_listings() {
  static const KnownListing all[] = {
")
foreach(file IN LISTS files)
  cmake_path(GET file STEM LAST_ONLY capability)
  cmake_path(GET file PARENT_PATH folder)
  cmake_path(GET folder FILENAME family)
  file(READ "${file}" text)
  set(ptx "")
  if(EXISTS "${folder}/${capability}.ptx")
    file(READ "${folder}/${capability}.ptx" ptx)
  endif()
  file(APPEND "${INTO}.part" "      {\"${family}\", ${capability}, R\"sass(${text})sass\",\n       R\"ptx(${ptx})ptx\"},\n")
endforeach()
file(APPEND "${INTO}.part" "  };
  return all;
}

} // namespace perfmodel
#pragma GCC diagnostic pop
")
file(RENAME "${INTO}.part" "${INTO}")
