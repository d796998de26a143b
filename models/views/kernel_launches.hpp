// The launches of a file that `perfmodel capture` wrote, each predicted, beside what it took.
#pragma once

#include "kernel.hpp"

#include <string>

namespace perfmodel {

// Whether times that were taken on `measured` are those of this GPU: one compute capability, and the
// product's name ("H200") in both titles.
bool is_the_same_gpu(const CapturedGpu& measured, const Gpu& gpu);

// "3.1 % less": a signed error, which "than measured" goes behind.
std::string more_or_less(double error);

// Throws InputError: the file has no launch that --kernel names, or none of them can be predicted; why the
// first cannot.
template <class T>
KernelModel::Tables captured_tables(const Gpu& gpu, const KernelModel::Input& in, T& trace);

std::string captured_verdict(const Gpu& gpu, const KernelModel::Input& in, const KernelModel::Tables& tables);

} // namespace perfmodel
