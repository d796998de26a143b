// Predicted launches beside the times of benchmarks, which know neither grid nor block: each is told by the
// name of its kernel and by the sizes in its own name.
#pragma once

#include "models/core/gpu.hpp"
#include "models/core/result.hpp"
#include "models/validation/profile.hpp"
#include "models/views/kernel_profile.hpp"

#include <string>
#include <vector>

namespace perfmodel::cli {

// The launches that `predicted`, an answer of the model `kernel`, has of this GPU, each with its benchmark of
// `runs`; the notes say what was matched by what, and what was not. `arguments`: of the launches where the
// answer has no column of them; "" where they are not known. `tool` wrote the file.
BesideProfile beside_benchmarks(const Gpu& gpu, const Result& predicted,
                                const std::vector<ProfiledKernel>& runs, const std::string& tool,
                                const std::string& arguments);

} // namespace perfmodel::cli
