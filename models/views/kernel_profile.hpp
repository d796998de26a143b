// Predicted launches beside what a profiler counted of the same kernels: signed error of the time and of
// every counter that both know, (predicted - measured) / measured.
#pragma once

#include "models/core/gpu.hpp"
#include "models/core/result.hpp"
#include "models/validation/profile.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace perfmodel {

struct BesideProfile {
  std::vector<Table> tables;       // of times, of bytes, of counts; those that have rows
  std::string verdict;             // a sentence
  std::vector<std::string> notes;  // what is in one of the two only
  std::vector<double> time_errors; // of the launches that both know
};

// The launches that `predicted`, an answer of the model `kernel`, has of this GPU. One of a profile is that
// of the same grid and block whose function has the same name: with its template arguments, else without,
// where that is one. Nothing of a profile of another compute capability; the verdict says so.
BesideProfile beside_profile(const Gpu& gpu, const Result& predicted,
                             const std::vector<ProfiledKernel>& kernels);

// How many of the errors are larger than `limit`, a fraction, either way.
std::size_t errors_over(const std::vector<double>& errors, double limit);

} // namespace perfmodel
