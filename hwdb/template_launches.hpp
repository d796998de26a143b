// Launches of our templates, and of the collection of kernels, as `perfmodel capture` wrote them down: a run
// that predictions of the model `kernel` are held against.
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
// Where `listing`, a family of the database's machine code, is not "", other kernels are of it, and each is a
// measurement, too. Launches of kernels that neither has are left out, and those without times or arguments,
// with an argument that options cannot say (a struct, a byte, infinity), or on memory that is not the
// device's. Throws InputError, which names `file`: no launch is left, or they are of several GPUs.
Record run_of_launches(const CapturedLaunches& captured, std::span<const KernelTemplate> templates,
                       const std::string& listing, const std::filesystem::path& file);

} // namespace perfmodel::hwdb
