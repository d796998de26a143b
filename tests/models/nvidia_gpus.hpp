// The GPUs whose SMs are described. Of another vendor's so little is published that models refuse it by name
// (registry.cpp); properties of their answers are those of these.
#pragma once

#include "tests/models/ask.hpp"

#include <cstdlib>

namespace perfmodel {

inline const std::vector<Gpu>& every_nvidia_gpu() {
  static const std::vector<Gpu> gpus = [] {
    std::vector<Gpu> all;
    for (const Gpu& gpu : every_gpu())
      if (gpu.capability() > 0) all.push_back(gpu);
    return all;
  }();
  return gpus;
}

inline std::vector<std::string> every_compute_capability() {
  std::vector<std::string> all;
  for (const std::string& cc : database().architectures())
    if (std::strtod(cc.c_str(), nullptr) > 0) all.push_back(cc);
  return all;
}

} // namespace perfmodel
