// The file that --points names.
#pragma once

#include <string>

namespace perfmodel::cli {

// Points as CSV: the file itself, or what a result file (perfmodel-result/1) of a ladder, a profile of ncu or
// a result of nvbench, Google Benchmark or BabelStream holds. Throws InputError that names the file.
std::string points_csv(const std::string& file);

} // namespace perfmodel::cli
