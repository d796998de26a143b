// The tables of one launch.
#pragma once

#include "kernel.hpp"

#include <memory>

namespace perfmodel {

// `in` says what is shown, and what is assumed; not which launch, nor what L2 holds. The code is kept with
// what the launch does, which is remembered. Throws InputError.
template <class T>
KernelModel::Tables launch_tables(const Gpu& gpu, const KernelModel::Input& in,
                                  const std::shared_ptr<const KernelCode>& code, const KernelLaunch& launch,
                                  Caches caches, T& trace);

} // namespace perfmodel
