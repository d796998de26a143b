// The sizes that a benchmark's name gives: "copy [n=2^28 T=F32]" of nvbench, "BM_copy/n:1024/256" of Google
// Benchmark; and those of a launch's arguments, "in=4096B,n=1024".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

struct NamedSize {
  std::string name; // "" where only a number stands
  double value = 0; // as it is, arrays in bytes
};

// Without what the harness itself puts into names (iterations, threads, manual_time, ..) and words (T=F32).
std::vector<NamedSize> sizes_in_name(std::string_view benchmark);
// Without arrays that are known by a file alone.
std::vector<NamedSize> sizes_of_arguments(std::string_view arguments);

// "BM_copy/1024" and "copy [n=1024]" are of "copy".
std::string kernel_in_name(std::string_view benchmark);

enum class SameSize { other, unknown, none_given, same };
// `launch`: sizes of the arguments; `shape`: blocks of the grid and threads of a block. A size whose name is
// an argument's has to be that argument; another is looked for among all, the first among the arguments
// alone. unknown: a size without such a name is none of them.
SameSize compare_sizes(const std::vector<NamedSize>& benchmark, const std::vector<NamedSize>& launch,
                       const std::vector<double>& shape);

} // namespace perfmodel::cli
