// Which kernels of a profile an answer shows: those of the GPU, those that take most time, each once.
#pragma once

#include "models/core/gpu.hpp"
#include "models/core/result.hpp"
#include "models/validation/profile.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace perfmodel::cli {

struct KernelsOfGpu {
  std::vector<ProfiledKernel> kernels;
  std::vector<std::string> names;
};

// Those that ran on this GPU's compute capability, where the profile has several; a note says what is left
// out, and where all ran on another.
KernelsOfGpu kernels_of(const Gpu& gpu, const std::vector<ProfiledKernel>& kernels,
                        const std::vector<std::string>& names, std::vector<std::string>& notes);

// Says which have no time, or one of zero.
void note_untimed(const KernelsOfGpu& own, std::vector<std::string>& notes);

// How many kernels a table has, from --top. Throws InputError.
std::size_t most_kernels(const std::string& top, bool is_data);
// The first `most` rows of what binds each kernel; a note tells of the others, and what share of the time is
// theirs.
Table longest_of(const Table& table, std::size_t most, std::vector<std::string>& notes);

// Of the roofline's points of `shown`'s GPU those of the kernels there; of each the one at the memory level
// that is nearest to its roof, unless every level is asked for. Notes which kernels have none.
void keep_points(Result& result, const Table& shown, bool every_level);
// That sentence of the first GPU; "" where all have one.
std::string kernels_without_a_point(const Result& result);

// What the files of a harness lack, in a sentence; "" where nothing is missing.
std::string missing_of_benchmarks(const std::vector<ProfiledKernel>& runs,
                                  const std::vector<std::string>& names, const std::string& tool);

} // namespace perfmodel::cli
