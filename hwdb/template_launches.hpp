// Launches of our templates as `perfmodel capture` wrote them down: a run that predictions of the model
// `kernel` are held against.
#pragma once

#include "models/kernel/captured_launches.hpp"
#include "models/kernel/kernel_template.hpp"
#include "models/validation/measurement.hpp"

#include <filesystem>
#include <span>

namespace perfmodel::hwdb {

inline constexpr const char* launches_extension = ".launches";

// A measurement for each template that was launched, a row for each of its launches: the options of `kernel`
// that ask about it, and the median of its times. Launches in a row find in L2 what those before left there,
// so caches are warm. What a capture does not say, such as where an index leads, is as the template has it.
// Launches of other kernels, and those without times or arguments, are left out. Throws InputError, which
// names `file`: no launch is left, or they are of several GPUs.
Record run_of_launches(const CapturedLaunches& captured, std::span<const KernelTemplate> templates,
                       const std::filesystem::path& file);

} // namespace perfmodel::hwdb
