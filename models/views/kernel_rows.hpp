// The tables of one launch.
#pragma once

#include "kernel.hpp"

namespace perfmodel {

// `in` says what is shown, and what is assumed; not which launch. Throws InputError.
template <class T>
KernelModel::Tables launch_tables(const Gpu& gpu, const KernelModel::Input& in, const KernelCode& code,
                                  const KernelLaunch& launch, T& trace);

} // namespace perfmodel
